import MPaaSSupport

/// The fields of a query or of a form, not decoded.
struct FormFields: Sendable {
  private(set) var fields: [(name: Substring, value: Substring)] = []

  init(_ text: String) {
    for part in text.split(separator: "&") {
      if let equals = part.firstIndex(of: "=") {
        fields.append((part[..<equals], part[part.index(after: equals)...]))
      } else {
        fields.append((part, ""))
      }
    }
  }

  init(_ pairs: [(name: String, value: String)]) {
    fields = pairs.map { ($0.name[...], $0.value[...]) }
  }

  func values(of name: String) -> [Substring] {
    fields.lazy.filter { field in
      field.name == name || (Self.isEncoded(field.name) && Self.decoded(field.name) == name)
        || Self.decoded(field.name) == name + "[]"
    }.map(\.value)
  }

  private static func isEncoded(_ text: Substring) -> Bool {
    text.utf8.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
  }

  /// The text of a field, where `+` is a blank.
  static func decoded(_ text: some StringProtocol) -> String {
    guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return String(text) }
    return PercentEncoding.decodeLeniently(text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
  }
}

extension StringProtocol {
  /// The parts between separators of more than one letter.
  func components(separatedBy separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let found = rest.firstRange(of: separator) {
      parts.append(String(rest[..<found.lowerBound]))
      rest = rest[found.upperBound...]
    }
    return parts + [String(rest)]
  }
}
