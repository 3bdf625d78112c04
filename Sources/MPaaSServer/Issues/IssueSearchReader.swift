import MPaaSCrashReport
import MPaaSSupport

/// The reason why a search cannot be read, and the place of it in characters (Unicode scalars) from 0.
struct IssueSearchError: Error, Equatable {
  enum Reason: String, Sendable {
    case value, quote, bracket, state, number, time, version, long, deep
  }
  let reason: Reason
  let position: Int
}

/// Reads searches: `key:value`, `!`, lists, `*`, comparisons, `has:`, words, OR and brackets.
struct IssueSearchReader {
  private let text: [Unicode.Scalar]
  private var place = 0
  private var open = 0
  private var conditions = 0

  /// Characters of a search, conditions in it, and brackets within brackets.
  static let longest = 2000
  private static let mostConditions = 60
  private static let deepest = 20
  /// Values of a list.
  private static let mostValues = 50

  /// The search that a text is; one for all issues where it is empty.
  static func read(_ text: String) throws(IssueSearchError) -> IssueSearch {
    var reader = IssueSearchReader(text: Array(text.unicodeScalars))
    guard reader.text.count <= longest else { throw IssueSearchError(reason: .long, position: longest) }
    let search = try reader.alternatives()
    // What is left is a bracket that closes nothing.
    guard reader.place == reader.text.count else { throw IssueSearchError(reason: .bracket, position: reader.place) }
    return search
  }

  private init(text: [Unicode.Scalar]) { self.text = text }

  private var next: Unicode.Scalar? { place < text.count ? text[place] : nil }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace || scalar.value == 0 }

  private mutating func skipSpace() {
    while let scalar = next, Self.isSpace(scalar) { place += 1 }
  }

  private mutating func alternatives() throws(IssueSearchError) -> IssueSearch {
    var parts = [try conjunction()]
    while takeWord("OR") { parts.append(try conjunction()) }
    // Beside an empty side, the other one is what was meant.
    if parts.count > 1 { parts.removeAll { $0 == .all([]) } }
    return parts.count == 1 ? parts[0] : parts.isEmpty ? .all([]) : .any(parts)
  }

  private mutating func conjunction() throws(IssueSearchError) -> IssueSearch {
    var parts: [IssueSearch] = []
    // Words one after the other are one text.
    var words: [String] = []
    func flush() { if !words.isEmpty { parts.append(.text(words.joined(separator: " "))) }; words = [] }
    while true {
      skipSpace()
      guard let scalar = next, scalar != ")" || open == 0, !isWord("OR") else { break }
      if takeWord("AND") { continue }
      conditions += 1
      guard conditions <= Self.mostConditions else { throw IssueSearchError(reason: .long, position: place) }
      switch try term() {
      case .word(let word): words.append(word)
      case .condition(let condition):
        flush()
        parts.append(condition)
      }
    }
    flush()
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  private enum Term {
    case word(String)
    case condition(IssueSearch)
  }

  private mutating func term() throws(IssueSearchError) -> Term {
    let start = place
    if next == "!", place + 1 < text.count, !Self.isSpace(text[place + 1]) {
      place += 1
      switch try term() {
      case .word(let word): return .condition(.not(.text(word)))
      // A thing that is not set has a name of its own.
      case .condition(.field(let field, .isSet)): return .condition(.field(field, .isMissing))
      case .condition(let condition): return .condition(.not(condition))
      }
    }
    if next == "(" { return .condition(try group(start)) }
    if next == "\"" { return .condition(.text(try quoted())) }
    guard let key = key() else { return .word(bare()) }
    return .condition(try condition(key, start))
  }

  private mutating func group(_ start: Int) throws(IssueSearchError) -> IssueSearch {
    place += 1
    open += 1
    guard open <= Self.deepest else { throw IssueSearchError(reason: .deep, position: start) }
    let inner = try alternatives()
    guard next == ")" else { throw IssueSearchError(reason: .bracket, position: start) }
    place += 1
    open -= 1
    return inner
  }

  private func isWord(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard place + count <= text.count else { return false }
    for index in 0..<count where text[place + index].value != UInt32(word.utf8Start[index]) { return false }
    guard place + count < text.count else { return true }
    return Self.isSpace(text[place + count]) || text[place + count] == "(" || text[place + count] == ")"
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    skipSpace()
    guard isWord(word) else { return false }
    place += word.utf8CodeUnitCount
    return true
  }

  /// The name in front of a colon that is next; nil, with nothing taken, where a word has none.
  private mutating func key() -> String? {
    var name = String.UnicodeScalarView()
    var index = place
    while index < text.count, !Self.isSpace(text[index]), text[index] != "\"", text[index] != "(", text[index] != ")" {
      if text[index] == "\\", index + 1 < text.count {
        name.append(text[index + 1])
        index += 2
        continue
      }
      if text[index] == ":" {
        guard !name.isEmpty else { return nil }
        place = index + 1
        return String(name)
      }
      name.append(text[index])
      index += 1
    }
    return nil
  }

  /// A word up to white space, or to the bracket that closes a group; brackets within it belong to it.
  private mutating func bare(endsAtComma: Bool = false) -> String {
    var word = String.UnicodeScalarView()
    var depth = 0
    while let scalar = next, !Self.isSpace(scalar) {
      if endsAtComma, scalar == "," || scalar == "]" { break }
      if scalar == "(" { depth += 1 }
      if scalar == ")" {
        if depth == 0, open > 0 { break }
        depth -= 1
      }
      if scalar == "\\", place + 1 < text.count, !Self.isSpace(text[place + 1]) {
        place += 1
        word.append(text[place])
      } else {
        word.append(scalar)
      }
      place += 1
    }
    return String(word)
  }

  /// The text between the quotation marks that are next.
  private mutating func quoted() throws(IssueSearchError) -> String {
    let start = place
    var word = String.UnicodeScalarView()
    place += 1
    while let scalar = next {
      place += 1
      if scalar == "\"" { return String(word) }
      if scalar == "\\", let escaped = next {
        word.append(escaped)
        place += 1
      } else {
        word.append(scalar)
      }
    }
    throw IssueSearchError(reason: .quote, position: start)
  }

  private struct Value {
    var text: String
    var isQuoted: Bool
    var position: Int
  }

  private mutating func value(inList: Bool = false) throws(IssueSearchError) -> Value {
    let position = place
    let isQuoted = next == "\""
    let text = isQuoted ? try quoted() : bare(endsAtComma: inList)
    guard isQuoted || !text.isEmpty else { throw IssueSearchError(reason: .value, position: position) }
    return Value(text: text, isQuoted: isQuoted, position: position)
  }

  private mutating func list() throws(IssueSearchError) -> [Value] {
    let start = place
    place += 1
    var values: [Value] = []
    while true {
      skipSpace()
      values.append(try value(inList: true))
      guard values.count <= Self.mostValues else { throw IssueSearchError(reason: .long, position: place) }
      skipSpace()
      if next == "]" { break }
      guard next == "," else { throw IssueSearchError(reason: .bracket, position: start) }
      place += 1
    }
    place += 1
    return values
  }

  private mutating func condition(_ key: String, _ start: Int) throws(IssueSearchError) -> IssueSearch {
    if key == "has" {
      let name = try value().text
      return .field(IssueField.named[name] ?? .tag(name), .isSet)
    }
    let field = IssueField.named[key] ?? .tag(key)
    switch field {
    case .count, .users: return .field(field, try number())
    case .firstSeen, .lastSeen: return try time(field)
    case .version: return try version()
    case .state, .assignee, .user, .value, .tag: return try named(field)
    }
  }

  /// One value, or several of a list.
  private mutating func named(_ field: IssueField) throws(IssueSearchError) -> IssueSearch {
    let values = next == "[" ? try list() : [try value()]
    var plain: [String] = []
    var parts: [IssueSearch] = []
    for value in values {
      switch field {
      case .state: if let part = try Self.state(value, &plain) { parts.append(part) }
      case .assignee where value.text == "me" && !value.isQuoted: parts.append(.field(.assignee, .me))
      case .assignee where value.text == "none" && !value.isQuoted: parts.append(.field(.assignee, .isMissing))
      case _ where value.text.contains("*") && !value.isQuoted:
        // Of persons there are digests only.
        guard field != .user else { throw IssueSearchError(reason: .value, position: value.position) }
        parts.append(.field(field, .like(value.text)))
      default: plain.append(value.text)
      }
    }
    if plain.count == 1 { parts.insert(.field(field, .equal(plain[0])), at: 0) }
    if plain.count > 1 { parts.insert(.field(field, .oneOf(plain)), at: 0) }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private static func state(_ value: Value, _ plain: inout [String]) throws(IssueSearchError) -> IssueSearch? {
    switch value.text {
    case "assigned": return .field(.assignee, .isSet)
    case "unassigned": return .field(.assignee, .isMissing)
    default:
      guard IssueState(rawValue: value.text) != nil else {
        throw IssueSearchError(reason: .state, position: value.position)
      }
      plain.append(value.text)
      return nil
    }
  }

  private mutating func comparison() -> IssueMatch.Comparison? {
    if next == ">" || next == "<" {
      let isAbove = next == ">"
      place += 1
      guard next == "=" else { return isAbove ? .above : .below }
      place += 1
      return isAbove ? .atLeast : .atMost
    }
    guard next == "=" else { return nil }
    place += 1
    return .equal
  }

  private mutating func number() throws(IssueSearchError) -> IssueMatch {
    let comparison = comparison() ?? .equal
    let value = try value()
    guard let number = Int64(value.text), number >= 0 else {
      throw IssueSearchError(reason: .number, position: value.position)
    }
    return .compare(comparison, .number(number))
  }

  private mutating func version() throws(IssueSearchError) -> IssueSearch {
    let comparison = comparison()
    let value = try value()
    if comparison == nil, value.text.contains("*"), !value.isQuoted {
      throw IssueSearchError(reason: .version, position: value.position)
    }
    guard ReleaseName(value.text).sortKey != nil else {
      throw IssueSearchError(reason: .version, position: value.position)
    }
    return .field(.version, .compare(comparison ?? .equal, .version(value.text)))
  }

  private mutating func time(_ field: IssueField) throws(IssueSearchError) -> IssueSearch {
    let comparison = comparison()
    let value = try value()
    if let (ago, isWithin) = Self.ago(value.text) {
      return .field(field, .compare(comparison ?? (isWithin ? .atLeast : .atMost), .ago(ago)))
    }
    guard let (moment, isDay) = Self.moment(value.text) else {
      throw IssueSearchError(reason: .time, position: value.position)
    }
    if let comparison { return .field(field, .compare(comparison, .time(moment))) }
    guard isDay else { return .field(field, .compare(.equal, .time(moment))) }
    return .all([
      .field(field, .compare(.atLeast, .time(moment))), .field(field, .compare(.below, .time(moment + 86_400))),
    ])
  }

  /// The seconds of `-24h` and `+7d`, and whether it is the time since then.
  private static func ago(_ text: String) -> (seconds: Int64, isWithin: Bool)? {
    guard let sign = text.first, sign == "-" || sign == "+", let unit = text.last else { return nil }
    let seconds: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    let digits = text.dropFirst().dropLast()
    guard let each = seconds[unit], digits.utf8.allSatisfy({ $0 &- 0x30 < 10 }), let count = Int64(digits),
      count <= 100_000_000
    else { return nil }
    return (count * each, sign == "-")
  }

  /// The seconds since 1970 of a date, or of a date with time.
  static func time(of text: String) -> Double? { moment(text)?.seconds }

  private static func moment(_ text: String) -> (seconds: Double, isDay: Bool)? {
    let isDay = text.utf8.count == 10
    guard text.utf8.count >= 10, let moment = CrashReport.Timestamp(isDay ? text + "T00:00:00Z" : text) else {
      return nil
    }
    return (Double(moment.seconds), isDay)
  }
}
