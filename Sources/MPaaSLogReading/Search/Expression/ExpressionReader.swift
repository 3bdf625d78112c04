import MPaaSLogs

/// Reads regular expressions of Swift's syntax, as far as they are common to most engines.
///
/// - Source: The Swift Evolution proposal SE-0355, "Regex Syntax and Run-time Construction".
struct ExpressionReader {
  private let scalars: [Unicode.Scalar]
  private var place = 0
  private var ignoresCase: Bool
  private var dotMatchesBreaks = false
  private var depth = 0
  private var expression = Expression(node: .empty)

  /// Something that is left to the engine alone.
  private struct Unknown: Error {}

  private init(_ pattern: String, _ ignoresCase: Bool) {
    scalars = Array(pattern.unicodeScalars)
    self.ignoresCase = ignoresCase
  }

  /// - Returns: nil where there is something in it that only the engine knows.
  static func read(_ pattern: String, ignoresCase: Bool) -> Expression? {
    var reader = ExpressionReader(pattern, ignoresCase)
    guard let node = try? reader.choice(), reader.place == reader.scalars.count else { return nil }
    reader.expression.node = node
    return reader.expression
  }

  /// The text itself, whatever signs are in it.
  static func literal(_ text: String, ignoresCase: Bool) -> Expression {
    var reader = ExpressionReader("", ignoresCase)
    reader.expression.node = .sequence(text.unicodeScalars.map { reader.literal($0) })
    return reader.expression
  }

  private var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }

  private mutating func take(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard scalars[place...].starts(with: wanted) else { return false }
    place += wanted.count
    return true
  }

  private mutating func advance() throws(Unknown) -> Unicode.Scalar {
    guard let scalar = next else { throw Unknown() }
    place += 1
    return scalar
  }

  // MARK: - Structure

  private mutating func choice() throws(Unknown) -> Expression.Node {
    guard depth < 100 else { throw Unknown() }
    depth += 1
    defer { depth -= 1 }
    var choices = [try sequence()]
    while take("|" as Unicode.Scalar) { choices.append(try sequence()) }
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(Unknown) -> Expression.Node {
    var nodes: [Expression.Node] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      guard var node = try atom() else { continue }
      while let (least, most) = try quantifier() { node = .repeated(node, least: least, most: most) }
      note(node)
      nodes.append(node)
    }
    return .sequence(nodes)
  }

  /// Notes where the number of scalars beyond ASCII matters, of which bytes tell no number.
  private mutating func note(_ node: Expression.Node) {
    switch node {
    case .scalar(let set) where set.others == .any: expression.isApproximateBeyondASCII = true
    case .repeated(.scalar(let set), let least, let most) where set.others == .any:
      if least > 1 || most != nil { expression.isApproximateBeyondASCII = true }
    case .repeated(let inner, _, _): note(inner)
    default: break
    }
  }

  private mutating func quantifier() throws(Unknown) -> (Int, Int?)? {
    let bounds: (Int, Int?)
    if take("*" as Unicode.Scalar) {
      bounds = (0, nil)
    } else if take("+" as Unicode.Scalar) {
      bounds = (1, nil)
    } else if take("?" as Unicode.Scalar) {
      bounds = (0, 1)
    } else if take("{" as Unicode.Scalar) {
      let least = number()
      var most = least
      if take("," as Unicode.Scalar) { most = number() }
      guard least != nil || most != nil, take("}" as Unicode.Scalar) else { throw Unknown() }
      bounds = (least ?? 0, most)
      if let most, most < bounds.0 { throw Unknown() }
    } else {
      return nil
    }
    // A lazy one matches the same texts, one that gives nothing back fewer.
    if take("+" as Unicode.Scalar) { expression.isApproximate = true } else { _ = take("?" as Unicode.Scalar) }
    return bounds
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let scalar = next, let digit = scalar.isASCII ? Int(String(scalar)) : nil {
      value = min((value ?? 0) * 10 + digit, 100_000)
      place += 1
    }
    return value
  }

  // MARK: - Atoms

  /// - Returns: nil for what stands for nothing itself, such as options.
  private mutating func atom() throws(Unknown) -> Expression.Node? {
    let scalar = try advance()
    switch scalar {
    case "(": return try group()
    case "[": return .scalar(try customClass())
    case ".": return .scalar(dotMatchesBreaks ? .all : .dot)
    case "^", "$":
      // U+0085, U+2028 and U+2029 end lines too.
      expression.isApproximateBeyondASCII = true
      return scalar == "^" ? .lineStart : .lineEnd
    case "\\": return try escape()
    case "*", "+", "?", "{", "}", ")", "]": throw Unknown()
    default: return literal(scalar)
    }
  }

  private mutating func literal(_ scalar: Unicode.Scalar) -> Expression.Node {
    guard ignoresCase else { return .scalar(ScalarSet(scalar)) }
    if scalar.isASCII {
      var set = ScalarSet(scalar)
      set.foldASCII()
      return .scalar(set)
    }
    guard scalar.properties.isCased || scalar.properties.changesWhenCaseMapped else {
      return .scalar(ScalarSet(scalar))
    }
    expression.isApproximateBeyondASCII = true
    var set = ScalarSet()
    for variant in CaseVariants.of(scalar) { set.formUnion(ScalarSet(variant)) }
    return .scalar(set)
  }

  private mutating func group() throws(Unknown) -> Expression.Node? {
    let (outer, outerDot) = (ignoresCase, dotMatchesBreaks)
    if take("*" as Unicode.Scalar) { throw Unknown() }
    var isLook = false
    if take("?" as Unicode.Scalar) {
      if take(":" as Unicode.Scalar) || take("|" as Unicode.Scalar) {
      } else if take(">" as Unicode.Scalar) {
        expression.isApproximate = true
      } else if take("=" as Unicode.Scalar) || take("!" as Unicode.Scalar) || take("<=") || take("<!") {
        isLook = true
      } else if take("#" as Unicode.Scalar) {
        while try advance() != ")" {}
        return nil
      } else if take("P<") || take("<" as Unicode.Scalar) || take("'" as Unicode.Scalar) {
        while let scalar = next, scalar != ">", scalar != "'" {
          guard scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
            throw Unknown()
          }
          place += 1
        }
        _ = try advance()
      } else {
        // Options hold to the end of the group that they stand in.
        if try options() { return nil }
      }
    }
    let node = try choice()
    guard take(")" as Unicode.Scalar) else { throw Unknown() }
    (ignoresCase, dotMatchesBreaks) = (outer, outerDot)
    guard isLook else { return node }
    expression.isApproximate = true
    return .empty
  }

  /// - Returns: Whether they stand alone: `(?i)`, rather than `(?i:…)`.
  private mutating func options() throws(Unknown) -> Bool {
    var isOn = true
    while true {
      switch try advance() {
      case "-": isOn = false
      case "i": ignoresCase = isOn
      case "s": dotMatchesBreaks = isOn
      case "m": expression.isApproximate = true
      case ")": return true
      case ":": return false
      default: throw Unknown()
      }
    }
  }

  private mutating func escape() throws(Unknown) -> Expression.Node {
    let start = place
    let scalar = try advance()
    switch scalar {
    case "b", "B":
      expression.isApproximateBeyondASCII = true
      expression.hasBoundaries = true
      return .boundary(scalar == "b")
    case "A", "z", "Z", "G", "K", "y", "Y":
      expression.isApproximate = true
      return .empty
    case "X", "R", "1", "2", "3", "4", "5", "6", "7", "8", "9":
      while let digit = next, ("0"..."9").contains(digit) { place += 1 }
      expression.isApproximate = true
      return .anything
    case "Q":
      var nodes: [Expression.Node] = []
      while place < scalars.count, !take("\\E") { nodes.append(literal(try advance())) }
      return .sequence(nodes)
    default:
      place = start
      let set = try escapedClass()
      if let single = set.scalar { return literal(single) }
      return .scalar(set.set)
    }
  }

  // MARK: - Classes

  /// The class or scalar behind a backslash: one scalar, or a class of them.
  private mutating func escapedClass() throws(Unknown) -> (set: ScalarSet, scalar: Unicode.Scalar?) {
    let scalar = try advance()
    // Bytes do not tell which scalars beyond ASCII are digits, letters or blanks.
    if "dDwWsShHvVN".unicodeScalars.contains(scalar) { expression.isApproximateBeyondASCII = true }
    switch scalar {
    case "d": return (.digits, nil)
    case "D": return (ScalarSet.digits.inverted, nil)
    case "w": return (.words, nil)
    case "W": return (ScalarSet.words.inverted, nil)
    case "s": return (.spaces, nil)
    case "S": return (ScalarSet.spaces.inverted, nil)
    case "h": return (.blanks, nil)
    case "H": return (ScalarSet.blanks.inverted, nil)
    case "v": return (.breaks, nil)
    case "V", "N": return (ScalarSet.breaks.inverted, nil)
    case "p", "P":
      guard take("{" as Unicode.Scalar) else { throw Unknown() }
      while try advance() != "}" {}
      expression.isApproximate = true
      return (.all, nil)
    case "n": return (ScalarSet("\n"), "\n")
    case "r": return (ScalarSet("\r"), "\r")
    case "t": return (ScalarSet("\t"), "\t")
    case "x", "u": return try hexadecimal(scalar == "x" ? 2 : 4)
    case _ where scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar):
      return (ScalarSet(scalar), scalar)
    default: throw Unknown()
    }
  }

  private mutating func hexadecimal(_ length: Int) throws(Unknown) -> (set: ScalarSet, scalar: Unicode.Scalar?) {
    var digits = ""
    if take("{" as Unicode.Scalar) {
      while !take("}" as Unicode.Scalar) { digits.unicodeScalars.append(try advance()) }
    } else {
      for _ in 0..<length { digits.unicodeScalars.append(try advance()) }
    }
    guard digits.utf8.count <= 8, let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
      throw Unknown()
    }
    return (ScalarSet(scalar), scalar)
  }

  private mutating func customClass() throws(Unknown) -> ScalarSet {
    let isInverted = take("^" as Unicode.Scalar)
    var set = ScalarSet()
    var isFirst = true
    while true {
      let scalar = try advance()
      if scalar == "]" {
        if isFirst { throw Unknown() }
        break
      }
      isFirst = false
      // Sets within sets, and what is common to two of them.
      if scalar == "[" || (scalar == "&" && next == "&") || (scalar == "~" && next == "~") { throw Unknown() }
      var member: (set: ScalarSet, scalar: Unicode.Scalar?) = (ScalarSet(scalar), scalar)
      if scalar == "\\" { member = try escapedClass() }
      guard let first = member.scalar, next == "-", place + 1 < scalars.count, scalars[place + 1] != "]" else {
        if scalar == "-", next == "-" { throw Unknown() }
        set.formUnion(member.set)
        continue
      }
      place += 1
      var last = try advance()
      if last == "-" || last == "[" { throw Unknown() }
      if last == "\\" {
        guard let escaped = try escapedClass().scalar else { throw Unknown() }
        last = escaped
      }
      guard first.value <= last.value else { throw Unknown() }
      if first.isASCII { for value in first.value...min(last.value, 127) { set.insert(UInt8(value)) } }
      if last.value > 127 {
        set.others = .any
        expression.isApproximateBeyondASCII = true
      }
    }
    return finished(set, isInverted)
  }

  private mutating func finished(_ members: ScalarSet, _ isInverted: Bool) -> ScalarSet {
    var set = members
    if isInverted {
      // Without regard to case it may leave out more.
      if ignoresCase { expression.isApproximate = true }
      if case .some = set.others { expression.isApproximateBeyondASCII = true }
      if set.others == .any { expression.isApproximateBeyondASCII = true }
      return set.inverted
    }
    guard ignoresCase else { return set }
    set.foldASCII()
    guard case .some(let scalars) = set.others else { return set }
    for scalar in scalars where scalar.properties.isCased {
      expression.isApproximateBeyondASCII = true
      for variant in CaseVariants.of(scalar) { set.formUnion(ScalarSet(variant)) }
    }
    return set
  }
}

/// The scalars that differ from one in case only.
enum CaseVariants {
  static func of(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let (lower, upper) = (scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping)
    var found = [scalar]
    // All of them lie in the first plane or are in pairs.
    for value in (UInt32(0)...0xffff).lazy.compactMap(Unicode.Scalar.init) where value != scalar {
      let properties = value.properties
      guard properties.changesWhenCaseMapped || properties.isCased else { continue }
      if properties.lowercaseMapping == lower || properties.uppercaseMapping == upper { found.append(value) }
    }
    for text in [lower, upper] {
      let scalars = Array(text.unicodeScalars)
      if scalars.count == 1, !found.contains(scalars[0]) { found.append(scalars[0]) }
    }
    return found
  }
}
