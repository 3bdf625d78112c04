import MPaaSJSON

/// A text or a body that patterns are held against; what it reads as is found once.
final class MatchedText {
  let bytes: [UInt8]
  private(set) lazy var text = String(decoding: bytes, as: UTF8.self)
  private(set) lazy var json: JSONNode? = JSONNode.reading(bytes)
  private(set) lazy var xml: XMLTree? = XMLTree(bytes)

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  init(_ text: String) {
    bytes = Array(text.utf8)
    self.text = text
  }

  /// The first sign that is not blank, by which JSON and XML are told apart before they are read.
  var first: UInt8? { bytes.first { $0 > 0x20 } }
}

extension ContentPattern {
  /// Tells whether a text is as the pattern says.
  ///
  /// - Parameters:
  ///   - text: nil for one that is absent.
  ///   - now: Seconds since 1970.
  package func matches(_ text: String?, now: Double = 0) -> Bool {
    matches(text.map { MatchedText($0) }, now: now)
  }

  /// The distance of a text from the pattern: 0 for one that is as it says, up to 1.
  package func distance(_ text: String?, now: Double = 0) -> Double {
    distance(text.map { MatchedText($0) }, now: now)
  }

  func matches(_ value: MatchedText?, now: Double) -> Bool {
    switch self {
    case .absent(let isAbsent): return (value == nil) == isAbsent
    case .not(let pattern): return !pattern.matches(value, now: now)
    case .and(let patterns): return patterns.allSatisfy { $0.matches(value, now: now) }
    case .or(let patterns): return patterns.contains { $0.matches(value, now: now) }
    case .doesNotContain(let text): return !(value.map { Self.contains($0.bytes, text) } ?? false)
    case .doesNotMatch(let pattern): return !(value.map { pattern.matches($0.text) } ?? false)
    case .hasExactly, .includes: return matches(values: value.map { [$0] } ?? [], now: now)
    default: break
    }
    guard let value else { return false }
    switch self {
    case .equalTo(let text, ignoresCase: false): return value.bytes.elementsEqual(text.utf8)
    case .equalTo(let text, ignoresCase: true): return value.text.lowercased() == text.lowercased()
    case .binaryEqualTo(let bytes): return value.bytes == bytes
    case .contains(let text): return Self.contains(value.bytes, text)
    case .matches(let pattern): return pattern.matches(value.text)
    case .dateTime(let pattern): return pattern.matches(value.text, now: now) ?? false
    case .equalToJSON(let pattern): return value.json.map { pattern.matches($0) } ?? false
    case .jsonPath(let path, let sub): return matches(path, sub, value, now: now)
    case .equalToXML(let pattern):
      return value.first == UInt8(ascii: "<") && value.xml.map { pattern.matches($0) } ?? false
    case .xpath(let pattern): return pattern.distance(value, now: now) == 0
    case .jsonSchema(let pattern): return value.json.map { pattern.matches($0) } ?? false
    case .number(let pattern): return pattern.matches(value.text)
    default: return false
    }
  }

  private static func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let part = Array(text.utf8)
    guard let first = part.first else { return true }
    guard part.count <= bytes.count else { return false }
    var place = 0
    while place <= bytes.count - part.count {
      guard let found = bytes[place...(bytes.count - part.count)].firstIndex(of: first) else { return false }
      if bytes[found...].starts(with: part) { return true }
      place = found + 1
    }
    return false
  }

  private func matches(_ path: JSONPath, _ sub: ContentPattern?, _ value: MatchedText, now: Double) -> Bool {
    guard value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "["), let json = value.json else {
      return sub.map { $0.matches(nil as MatchedText?, now: now) && value.json != nil } ?? false
    }
    let found = path.values(in: json)
    guard let sub else {
      guard let first = found.first else { return false }
      return path.isDefinite ? !first.isNull : true
    }
    return Self.subjects(path, found).contains { sub.matches($0, now: now) }
  }

  /// The texts that a pattern beside a path is held against.
  private static func subjects(_ path: JSONPath, _ found: [JSONNode]) -> [MatchedText?] {
    guard let first = found.first else { return [nil] }
    if path.isDefinite {
      if first.isNull { return [nil] }
      return [MatchedText(first.plainText)] + (first.elements ?? []).map { MatchedText($0.plainText) }
    }
    return found.map { MatchedText($0.plainText) } + [MatchedText(JSONNode.list(found).line)]
  }

  /// Tells whether several values, of a header or a parameter, are as the pattern says: one of them, unless it is about
  /// all.
  func matches(values: [MatchedText], now: Double) -> Bool {
    switch self {
    case .hasExactly(let patterns):
      return values.count == patterns.count && fitted(patterns, values, now) == patterns.count
    case .includes(let patterns): return fitted(patterns, values, now) == patterns.count
    case .absent: return matches(values.first, now: now)
    case .not, .doesNotContain, .doesNotMatch:
      return values.isEmpty ? matches(nil as MatchedText?, now: now) : values.allSatisfy { matches($0, now: now) }
    default:
      if values.isEmpty { return matches(nil as MatchedText?, now: now) }
      return values.contains { matches($0, now: now) }
    }
  }

  private func fitted(_ patterns: [ContentPattern], _ values: [MatchedText], _ now: Double) -> Int {
    let pairs = Assignment.pairs(patterns.count, values.count) { patterns[$0].matches(values[$1], now: now) }
    return pairs.count { $0 != nil }
  }
}
