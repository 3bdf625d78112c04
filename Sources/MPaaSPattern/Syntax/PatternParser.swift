/// Reads regular expressions of RE2's syntax.
///
/// - Source: https://github.com/google/re2/wiki/Syntax. `\C`, which matches a byte, is refused: texts are scalars here.
struct PatternParser {
  static let deepest = 200
  static let mostTimes = 1000

  let scalars: [Unicode.Scalar]
  var place = 0
  var flags: Flags
  private var depth = 0
  /// True where groups and lazy repetitions stay in the tree, for those who ask where a match is.
  private let keepsGroups: Bool
  private(set) var groupCount = 0

  /// The options that hold from a place on, to the end of the group.
  struct Flags {
    var ignoresCase = false
    var isMultiline = false
    var dotMatchesLineFeed = false
  }

  init(_ text: String, ignoresCase: Bool, keepsGroups: Bool = false) {
    self.keepsGroups = keepsGroups
    scalars = Array(text.unicodeScalars)
    flags = Flags(ignoresCase: ignoresCase)
  }

  mutating func parse() throws(PatternError) -> PatternNode {
    let node = try choice()
    guard place == scalars.count else { throw error(.unexpectedParenthesis) }
    return node
  }

  func error(_ code: PatternError.Code, at offset: Int? = nil) -> PatternError {
    PatternError(code, at: offset ?? place)
  }

  var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  func ahead(_ count: Int) -> Unicode.Scalar? { place + count < scalars.count ? scalars[place + count] : nil }

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    place += 1
    return true
  }

  // MARK: - Structure

  private mutating func choice() throws(PatternError) -> PatternNode {
    guard depth < Self.deepest else { throw error(.tooDeep) }
    depth += 1
    defer { depth -= 1 }
    var choices = [try sequence()]
    while take("|") { choices.append(try sequence()) }
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var nodes: [PatternNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      let start = place
      if scalar == "\\", ahead(1) == "Q" {
        nodes += quoted()
      } else if let node = try atom() {
        nodes.append(node)
      }
      // Behind flags and empty quotations, what stands before them is repeated.
      guard isRepetition else { continue }
      guard let node = nodes.popLast() else { throw error(.nothingToRepeat) }
      nodes.append(try repeated(node, from: start))
    }
    return nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  /// The scalars between `\Q` and `\E`.
  private mutating func quoted() -> [PatternNode] {
    place += 2
    var nodes: [PatternNode] = []
    while let scalar = next {
      if scalar == "\\", ahead(1) == "E" {
        place += 2
        break
      }
      place += 1
      nodes.append(literal(scalar.value))
    }
    return nodes
  }

  /// - Returns: nil for what stands for nothing itself: flags.
  private mutating func atom() throws(PatternError) -> PatternNode? {
    guard let scalar = next else { return nil }
    switch scalar {
    case "(": return try group()
    case "[": return .scalar(try bracketed())
    case "\\": return try escape()
    case "*", "+", "?": throw error(.nothingToRepeat)
    case "{" where counts() != nil: throw error(.nothingToRepeat)
    case ".":
      place += 1
      return .scalar(flags.dotMatchesLineFeed ? .all : ScalarSet.lineFeed.inverted)
    case "^":
      place += 1
      return .assertion(flags.isMultiline ? .lineStart : .textStart)
    case "$":
      place += 1
      return .assertion(flags.isMultiline ? .lineEnd : .textEnd)
    default:
      place += 1
      return literal(scalar.value)
    }
  }

  func literal(_ scalar: UInt32) -> PatternNode { .scalar(folded(ScalarSet(scalar))) }

  func folded(_ set: ScalarSet) -> ScalarSet { flags.ignoresCase ? set.folded : set }

  // MARK: - Groups

  private mutating func group() throws(PatternError) -> PatternNode? {
    let start = place
    place += 1
    let outer = flags
    var number: Int?
    if next != "?" || ahead(1) == "P" || ahead(1) == "<" {
      groupCount += 1
      number = groupCount
    }
    if take("?") {
      if next == "=" || next == "!" || (next == "<" && (ahead(1) == "=" || ahead(1) == "!")) {
        throw error(.notRegular, at: start)
      }
      if next == "<" || (next == "P" && ahead(1) == "<") {
        try groupName(from: start)
      } else if try !changeFlags(from: start) {
        return nil
      }
    }
    let node = try choice()
    guard take(")") else { throw error(.missingParenthesis, at: start) }
    flags = outer
    guard keepsGroups, let number else { return node }
    return .group(node, number)
  }

  private mutating func groupName(from start: Int) throws(PatternError) {
    _ = take("P")
    place += 1
    let name = place
    while let scalar = next, scalar != ">" {
      guard scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal else {
        throw error(.badGroup, at: start)
      }
      place += 1
    }
    guard place > name, take(">") else { throw error(.badGroup, at: start) }
  }

  /// - Returns: False where the flags stand alone, so that they hold to the end of the group around them.
  private mutating func changeFlags(from start: Int) throws(PatternError) -> Bool {
    var (isOn, count, changed) = (true, 0, flags)
    while let scalar = next {
      place += 1
      switch scalar {
      case "i": changed.ignoresCase = isOn
      case "m": changed.isMultiline = isOn
      case "s": changed.dotMatchesLineFeed = isOn
      // The shortest match is one, too, and nothing else is asked.
      case "U": break
      case "-" where isOn:
        (isOn, count) = (false, 0)
        continue
      case ":", ")":
        guard isOn || count > 0 else { throw error(.badGroup, at: start) }
        flags = changed
        return scalar == ":"
      default: throw error(scalar == "P" || scalar == "#" || scalar == ">" ? .notRegular : .badGroup, at: start)
      }
      count += 1
    }
    throw error(.missingParenthesis, at: start)
  }

  // MARK: - Repetitions

  /// Tells whether something is to be repeated here.
  private var isRepetition: Bool {
    guard let scalar = next else { return false }
    return scalar == "*" || scalar == "+" || scalar == "?" || (scalar == "{" && counts() != nil)
  }

  private mutating func repeated(_ node: PatternNode, from start: Int) throws(PatternError) -> PatternNode {
    guard let (least, most, length) = repetition() else { return node }
    place += length
    // A lazy one matches the same texts.
    let isLazy = take("?")
    if isRepetition { throw error(.repeatedTwice) }
    let times = max(least, most ?? 0)
    guard times <= Self.mostTimes, most.map({ $0 >= least }) ?? true,
      times < 2 || times * node.mostTimes <= Self.mostTimes
    else { throw error(.badCount, at: start) }
    let repeated = node.times(least, most)
    return isLazy && keepsGroups ? .lazy(repeated) : repeated
  }

  private func repetition() -> (least: Int, most: Int?, length: Int)? {
    switch next {
    case "*": (0, nil, 1)
    case "+": (1, nil, 1)
    case "?": (0, 1, 1)
    case "{": counts()
    default: nil
    }
  }

  /// The numbers of `{2}`, `{2,}` or `{2,5}`; nil where the brace stands for itself.
  private func counts() -> (least: Int, most: Int?, length: Int)? {
    var end = place + 1
    guard let least = number(&end) else { return nil }
    var most: Int? = least
    if end < scalars.count, scalars[end] == "," {
      end += 1
      most = nil
      if end < scalars.count, scalars[end] != "}" {
        guard let number = number(&end) else { return nil }
        most = number
      }
    }
    guard end < scalars.count, scalars[end] == "}" else { return nil }
    return (least, most, end + 1 - place)
  }

  private func number(_ end: inout Int) -> Int? {
    let start = end
    var value = 0
    while end < scalars.count, ScalarSet.digits.contains(scalars[end].value) {
      value = min(value * 10 + Int(scalars[end].value - 0x30), 1_000_000)
      end += 1
    }
    // A number has no zeros in front.
    return end == start || (end > start + 1 && scalars[start] == "0") ? nil : value
  }
}
