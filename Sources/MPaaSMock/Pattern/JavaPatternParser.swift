/// Reads a regular expression in Java's language.
///
/// - Source: The documentation of `java.util.regex.Pattern`.
struct JavaPatternParser {
  private struct Flags {
    var ignoresCase = false
    var isMultiline = false
    var matchesLineEnds = false
    var hasComments = false
  }

  private static let deepest = 100
  static let mostRepetitions = 1000

  private let scalars: [UInt32]
  private var place = 0
  private var depth = 0
  private var flags = Flags()
  private(set) var groups = 0
  private(set) var names: [String: Int] = [:]

  init(_ text: String, matchesLineEnds: Bool, ignoresCase: Bool) {
    scalars = text.unicodeScalars.map(\.value)
    flags.matchesLineEnds = matchesLineEnds
    flags.ignoresCase = ignoresCase
  }

  mutating func parse() throws(JavaPatternError) -> JavaPatternNode {
    let node = try alternatives()
    guard place == scalars.count else { throw error("a parenthesis is closed that was not opened") }
    return node
  }

  func error(_ reason: String) -> JavaPatternError { JavaPatternError(reason: reason, offset: place) }

  private var next: UInt32? { place < scalars.count ? scalars[place] : nil }
  private func at(_ character: Unicode.Scalar) -> Bool { next == character.value }
  private func stands(_ text: String) -> Bool { scalars[place...].starts(with: text.unicodeScalars.map(\.value)) }
  private mutating func take(_ text: String) -> Bool {
    guard stands(text) else { return false }
    place += text.unicodeScalars.count
    return true
  }

  private mutating func alternatives() throws(JavaPatternError) -> JavaPatternNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw error("groups lie more than \(Self.deepest) deep in each other") }
    let outer = flags
    defer { flags = outer }
    var nodes = [try sequence()]
    while take("|") { nodes.append(try sequence()) }
    return nodes.count == 1 ? nodes[0] : .alternatives(nodes)
  }

  private mutating func sequence() throws(JavaPatternError) -> JavaPatternNode {
    var nodes: [JavaPatternNode] = []
    while let scalar = next, scalar != 0x7c, scalar != 0x29 {
      if flags.hasComments, skipComment(scalar) { continue }
      let quoted = take("\\Q")
      if quoted {
        while place < scalars.count, !take("\\E") {
          nodes.append(.scalar(scalars[place], ignoresCase: flags.ignoresCase))
          place += 1
        }
        continue
      }
      guard let atom = try atom() else { continue }
      nodes.append(try repeated(atom))
    }
    return nodes.count == 1 ? nodes[0] : nodes.isEmpty ? .empty : .sequence(nodes)
  }

  private mutating func skipComment(_ scalar: UInt32) -> Bool {
    if JavaScalarSet.spaces.contains(scalar) {
      place += 1
      return true
    }
    guard scalar == 0x23 else { return false }
    while let scalar = next, scalar != 0x0a { place += scalar == 0x0a ? 0 : 1 }
    return true
  }

  private mutating func atom() throws(JavaPatternError) -> JavaPatternNode? {
    guard let scalar = next else { return nil }
    switch scalar {
    case 0x28: return try group()
    case 0x5b: return .set(try bracketed(), ignoresCase: flags.ignoresCase)
    case 0x5c: return try escape()
    case 0x2e:
      place += 1
      return .any(matchesLineEnds: flags.matchesLineEnds)
    case 0x5e:
      place += 1
      return .assertion(flags.isMultiline ? .lineStart : .textStart)
    case 0x24:
      place += 1
      return .assertion(flags.isMultiline ? .lineEnd : .lastLineEnd)
    case 0x2a, 0x2b, 0x3f: throw error("there is nothing to repeat")
    case 0x7b: throw error("a brace stands without a backslash")
    default:
      place += 1
      return .scalar(scalar, ignoresCase: flags.ignoresCase)
    }
  }

  // MARK: Repetitions

  private mutating func repeated(_ atom: JavaPatternNode) throws(JavaPatternError) -> JavaPatternNode {
    var node = atom
    while let (least, most) = try counts() {
      let mode: JavaPatternNode.Mode = take("?") ? .lazy : take("+") ? .possessive : .greedy
      if case .assertion = node { node = .sequence([node]) }
      node = .repetition(node, least: least, most: most, mode)
    }
    return node
  }

  private mutating func counts() throws(JavaPatternError) -> (Int, Int?)? {
    if take("*") { return (0, nil) }
    if take("+") { return (1, nil) }
    if take("?") { return (0, 1) }
    guard take("{") else { return nil }
    guard let least = number() else { throw error("a count is missing") }
    var most: Int? = least
    if take(",") { most = number() }
    guard take("}") else { throw error("a count is not closed") }
    guard least <= Self.mostRepetitions, most ?? 0 <= Self.mostRepetitions else {
      throw error("a count is above \(Self.mostRepetitions)")
    }
    guard most ?? least >= least else { throw error("a count is below the least one") }
    return (least, most)
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let scalar = next, scalar >= 0x30, scalar <= 0x39, value ?? 0 < 100_000 {
      value = (value ?? 0) * 10 + Int(scalar - 0x30)
      place += 1
    }
    return value
  }

  // MARK: Groups

  private mutating func group() throws(JavaPatternError) -> JavaPatternNode? {
    place += 1
    guard take("?") else { return try captured(name: nil) }
    if take(":") { return try closed() }
    if take("=") { return .look(try closed(), isAhead: true, isNegative: false) }
    if take("!") { return .look(try closed(), isAhead: true, isNegative: true) }
    if take(">") { return .atomic(try closed()) }
    if take("<=") { return try behind(isNegative: false) }
    if take("<!") { return try behind(isNegative: true) }
    if take("<") || take("P<") { return try captured(name: try name()) }
    return try flagged()
  }

  private mutating func name() throws(JavaPatternError) -> String {
    var name = ""
    while let scalar = next, scalar != 0x3e {
      guard let letter = Unicode.Scalar(scalar), JavaScalarSet.words.contains(scalar) else {
        throw error("a group's name has other than letters and digits")
      }
      name.unicodeScalars.append(letter)
      place += 1
    }
    guard take(">"), !name.isEmpty, names[name] == nil else { throw error("a group's name is missing or taken") }
    return name
  }

  private mutating func captured(name: String?) throws(JavaPatternError) -> JavaPatternNode {
    groups += 1
    let number = groups
    guard number <= 200 else { throw error("there are more than 200 groups") }
    if let name { names[name] = number }
    return .group(try closed(), number: number)
  }

  private mutating func closed() throws(JavaPatternError) -> JavaPatternNode {
    let node = try alternatives()
    guard take(")") else { throw error("a parenthesis is not closed") }
    return node
  }

  private mutating func behind(isNegative: Bool) throws(JavaPatternError) -> JavaPatternNode {
    let node = try closed()
    guard let most = node.widths.most, most <= 255 else {
      throw error("what is looked for behind has no limit of 255 characters")
    }
    return .look(node, isAhead: false, isNegative: isNegative)
  }

  private mutating func flagged() throws(JavaPatternError) -> JavaPatternNode? {
    var changed = flags
    var isOn = true
    while let scalar = next {
      place += 1
      switch Unicode.Scalar(scalar) {
      case "i": changed.ignoresCase = isOn
      case "m": changed.isMultiline = isOn
      case "s": changed.matchesLineEnds = isOn
      case "x": changed.hasComments = isOn
      case "u", "U", "d": break
      case "-" where isOn: isOn = false
      case ")":
        flags = changed
        return nil
      case ":":
        let outer = flags
        flags = changed
        defer { flags = outer }
        return try closed()
      default: throw error("a group begins in an unknown way")
      }
    }
    throw error("a parenthesis is not closed")
  }

  // MARK: Escapes

  private mutating func escape() throws(JavaPatternError) -> JavaPatternNode {
    let start = place
    place += 1
    guard let scalar = next, let letter = Unicode.Scalar(scalar) else { throw error("a backslash stands at the end") }
    place += 1
    let assertion: JavaAssertion? =
      switch letter {
      case "A", "G": .textStart
      case "z": .textEnd
      case "Z": .lastLineEnd
      case "b": .wordBoundary
      case "B": .noWordBoundary
      default: nil
      }
    if let assertion { return .assertion(assertion) }
    switch letter {
    case "1"..."9":
      var number = Int(scalar - 0x30)
      while let digit = next, (0x30...0x39).contains(digit), number * 10 + Int(digit - 0x30) <= groups {
        number = number * 10 + Int(digit - 0x30)
        place += 1
      }
      return .backReference(number, ignoresCase: flags.ignoresCase)
    case "k":
      guard take("<") else { throw error("a reference has no name") }
      var name = ""
      while let scalar = next, scalar != 0x3e, let letter = Unicode.Scalar(scalar) {
        name.unicodeScalars.append(letter)
        place += 1
      }
      guard take(">"), let number = names[name] else { throw error("a reference names no group before it") }
      return .backReference(number, ignoresCase: flags.ignoresCase)
    case "R":
      let crlf = JavaPatternNode.sequence([.scalar(13, ignoresCase: false), .scalar(10, ignoresCase: false)])
      return .atomic(.alternatives([crlf, .set(.lineEnds, ignoresCase: false)]))
    default:
      place = start
      switch try escaped() {
      case .left(let scalar): return .scalar(scalar, ignoresCase: flags.ignoresCase)
      case .right(let set): return .set(set, ignoresCase: flags.ignoresCase)
      }
    }
  }

  private enum Escaped { case left(UInt32), right(JavaScalarSet) }

  private mutating func escaped() throws(JavaPatternError) -> Escaped {
    place += 1
    guard let scalar = next, let letter = Unicode.Scalar(scalar) else { throw error("a backslash stands at the end") }
    place += 1
    switch letter {
    case "d": return .right(.digits)
    case "D": return .right(.not(.digits))
    case "w": return .right(.words)
    case "W": return .right(.not(.words))
    case "s": return .right(.spaces)
    case "S": return .right(.not(.spaces))
    case "h": return .right(.blanks)
    case "H": return .right(.not(.blanks))
    case "v": return .right(.lineEnds)
    case "V": return .right(.not(.lineEnds))
    case "p", "P": return .right(try property(isInverted: letter == "P"))
    case "t": return .left(9)
    case "n": return .left(10)
    case "r": return .left(13)
    case "f": return .left(12)
    case "a": return .left(7)
    case "e": return .left(27)
    case "0": return .left(try digits(radix: 8, most: 3))
    case "x":
      guard take("{") else { return .left(try digits(radix: 16, most: 2)) }
      let value = try digits(radix: 16, most: 6)
      guard take("}") else { throw error("a code point is not closed") }
      return .left(value)
    case "u": return .left(try digits(radix: 16, most: 4))
    default:
      guard !JavaScalarSet.letters.contains(scalar) else { throw error("a backslash stands before an unknown letter") }
      return .left(scalar)
    }
  }

  private mutating func digits(radix: UInt32, most: Int) throws(JavaPatternError) -> UInt32 {
    var value: UInt32?
    var count = 0
    while count < most, let scalar = next, let digit = Unicode.Scalar(scalar).flatMap({ Character($0).hexDigitValue }),
      UInt32(digit) < radix
    {
      value = (value ?? 0) * radix + UInt32(digit)
      place += 1
      count += 1
    }
    guard let value else { throw error("a code point is missing") }
    return value
  }

  private mutating func property(isInverted: Bool) throws(JavaPatternError) -> JavaScalarSet {
    var name = ""
    if take("{") {
      while let scalar = next, scalar != 0x7d, let letter = Unicode.Scalar(scalar) {
        name.unicodeScalars.append(letter)
        place += 1
      }
      guard take("}") else { throw error("a property is not closed") }
    } else if let letter = next.flatMap({ Unicode.Scalar($0) }) {
      name = String(Character(letter))
      place += 1
    }
    guard let set = JavaScalarSet.named(name) else { throw error("a property is unknown") }
    return isInverted ? .not(set) : set
  }

  // MARK: Brackets

  private mutating func bracketed() throws(JavaPatternError) -> JavaScalarSet {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else { throw error("brackets lie more than \(Self.deepest) deep in each other") }
    place += 1
    let isInverted = take("^")
    var parts: [JavaScalarSet] = []
    var whole: JavaScalarSet?
    var isFirst = true
    while let scalar = next, scalar != 0x5d || isFirst {
      isFirst = false
      if take("&&") {
        let left = JavaScalarSet.union(parts)
        whole = whole.map { .intersection($0, left) } ?? left
        parts = []
        continue
      }
      if scalar == 0x5b {
        parts.append(try bracketed())
        continue
      }
      switch try member() {
      case .right(let set): parts.append(set)
      case .left(let low):
        guard at("-"), place + 1 < scalars.count, scalars[place + 1] != 0x5d, scalars[place + 1] != 0x5b else {
          parts.append(.range(low, low))
          continue
        }
        place += 1
        guard case .left(let high) = try member(), high >= low else { throw error("a range goes downward") }
        parts.append(.range(low, high))
      }
    }
    guard take("]") else { throw error("a bracket is not closed") }
    let last = JavaScalarSet.union(parts)
    let set = whole.map { JavaScalarSet.intersection($0, last) } ?? last
    return isInverted ? .not(set) : set
  }

  private mutating func member() throws(JavaPatternError) -> Escaped {
    guard let scalar = next else { throw error("a bracket is not closed") }
    if scalar == 0x5c { return try escaped() }
    place += 1
    return .left(scalar)
  }
}
