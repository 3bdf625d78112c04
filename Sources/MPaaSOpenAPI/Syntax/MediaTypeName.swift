/// A media type or a range of them, without its parameters but `boundary`, `charset` and `q` (RFC 9110, section 8.3).
package struct MediaTypeName: Sendable, Equatable {
  /// In small letters.
  package let type: String
  package let subtype: String
  package let parameters: [(name: String, value: String)]

  package init?(_ text: some StringProtocol) {
    let parts = Self.split(String(text))
    guard let name = parts.first, let slash = name.firstIndex(of: "/") else { return nil }
    type = Self.trimmed(name[..<slash]).lowercased()
    subtype = Self.trimmed(name[slash...].dropFirst()).lowercased()
    guard !type.isEmpty, !subtype.isEmpty else { return nil }
    parameters = parts.dropFirst().compactMap { part in
      guard let equals = part.firstIndex(of: "=") else { return nil }
      var value = Self.trimmed(part[equals...].dropFirst())
      if value.count > 1, value.first == "\"", value.last == "\"" {
        value = String(value.dropFirst().dropLast()).replacing("\\", with: "")
      }
      return (Self.trimmed(part[..<equals]).lowercased(), value)
    }
  }

  /// The parts between semicolons, but for those in quotes.
  private static func split(_ text: String) -> [Substring] {
    guard text.contains("\"") else { return text.split(separator: ";") }
    var isQuoted = false
    return text.split { character in
      if character == "\"" { isQuoted.toggle() }
      return character == ";" && !isQuoted
    }
  }

  static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }

  package subscript(_ name: String) -> String? { parameters.first { $0.name == name }?.value }
  package var name: String { type + "/" + subtype }

  package var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }
  package var isXML: Bool { subtype == "xml" || subtype.hasSuffix("+xml") }
  package var isText: Bool { type == "text" }

  /// Tells whether this, as a range, holds another type.
  package func holds(_ other: MediaTypeName) -> Bool {
    (type == "*" || type == other.type) && (subtype == "*" || subtype == other.subtype || holdsSuffix(other))
  }

  /// `application/*+json`, as some documents have it.
  private func holdsSuffix(_ other: MediaTypeName) -> Bool {
    subtype.hasPrefix("*+") && other.subtype.hasSuffix(subtype.dropFirst())
  }

  /// The exactness with which a range tells a type: 2 for the type itself.
  var exactness: Int { type == "*" ? 0 : subtype.hasPrefix("*") ? 1 : 2 }

  package static func == (left: MediaTypeName, right: MediaTypeName) -> Bool { left.name == right.name }
}

/// The types that a client accepts, the best first (RFC 9110, section 12.5.1).
package struct AcceptedTypes: Sendable {
  package let ranges: [MediaTypeName]

  /// - Parameter header: The field `Accept`; nil for one that is not there, which takes all.
  package init(_ header: String?) {
    let weighted = (header ?? "*/*").split(separator: ",").compactMap {
      part -> (range: MediaTypeName, weight: Double)? in
      guard let range = MediaTypeName(part) else { return nil }
      let weight = range["q"].flatMap { Double($0) } ?? 1
      return weight > 0 ? (range, weight) : nil
    }
    ranges = weighted.enumerated().sorted { left, right in
      if left.element.weight != right.element.weight { return left.element.weight > right.element.weight }
      return left.offset < right.offset
    }.map(\.element.range)
  }

  /// The index of the best of some types; nil where none is wanted.
  package func best(of types: [MediaTypeName]) -> Int? {
    for range in ranges {
      if let index = types.firstIndex(where: { range.holds($0) || $0.holds(range) }) { return index }
    }
    return nil
  }
}
