import MPaaSJSON
import MPaaSSupport

extension JSONNode {
  var isContainer: Bool {
    switch content {
    case .array, .object: true
    default: false
    }
  }

  /// Tells whether two values are of one type; all numbers are.
  func isSameType(as other: JSONNode) -> Bool {
    switch (content, other.content) {
    case (.null, .null), (.bool, .bool), (.number, .number), (.string, .string), (.array, .array),
      (.object, .object):
      true
    default: false
    }
  }

  /// Tells whether two values are the same, whatever the order of members and the place of either.
  func isEqual(to other: JSONNode) -> Bool {
    switch (content, other.content) {
    case (.null, .null): true
    case (.bool(let own), .bool(let value)): own == value
    case (.number(let own), .number(let value)): own == value
    case (.string(let own), .string(let value)): own.utf8.elementsEqual(value.utf8)
    case (.array(let own), .array(let elements)):
      own.count == elements.count && zip(own, elements).allSatisfy { $0.isEqual(to: $1) }
    case (.object(let own), .object(let members)): own.count == members.count && Self.areEqual(own, members)
    default: false
    }
  }

  private static func areEqual(_ own: [Member], _ members: [Member]) -> Bool {
    let values = ExactMap(members.map { ($0.name, $0.value) }) { $1 }
    return own.allSatisfy { member in values[member.name].map { member.value.isEqual(to: $0) } ?? false }
  }

  /// The value as rules for texts see it: a string without quotation marks.
  var plain: String { string ?? line }

  /// The value with its type, for people: `'a' (String)`, `100 (Integer)`.
  var shown: String {
    switch content {
    case .null: "null (Null)"
    case .bool(let value): "\(value) (Boolean)"
    case .number(let number): "\(number.text) (\(number.isWhole ? "Integer" : "Decimal"))"
    case .string(let text): "'\(text.limited(200))' (String)"
    case .array: "\(summary) (Array)"
    case .object: "\(summary) (Object)"
    }
  }

  /// The beginning of the value as JSON; lists have a blank behind each comma.
  var summary: String {
    guard let elements, elements.allSatisfy({ !$0.isContainer }) else { return line.limited(200) }
    return "[\(elements.prefix(100).map(\.line).joined(separator: ", "))]".limited(200)
  }
}

/// Versions as semver.org has them.
enum SemanticVersion {
  /// Tells whether a text is a version of three numbers, with what may follow them.
  ///
  /// - Source: https://semver.org/spec/v2.0.0.html, items 2, 9 and 10.
  static func isValid(_ text: String) -> Bool {
    let whole = text.split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = whole.first else { return false }
    if whole.count == 2, !areIdentifiers(whole[1], refusesZeros: false) { return false }
    let parts = first.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2, !areIdentifiers(parts[1], refusesZeros: true) { return false }
    let numbers = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 3 && numbers.allSatisfy { isNumber($0) }
  }

  private static func isNumber(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0 &- 0x30 < 10 } && (text == "0" || text.first != "0")
  }

  private static func areIdentifiers(_ text: Substring, refusesZeros: Bool) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      let isKnown = part.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
      let isDigits = part.utf8.allSatisfy { $0 &- 0x30 < 10 }
      return !part.isEmpty && isKnown && (!refusesZeros || !isDigits || isNumber(part))
    }
  }
}
