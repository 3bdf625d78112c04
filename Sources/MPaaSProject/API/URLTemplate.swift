/// The URL of a call with places for what is only known when it is sent: `/shots/:id/comments`, `/shots/{id}`.
package struct URLTemplate: Sendable, Hashable {
  /// As the file has it.
  package let text: String
  package let parts: [Part]

  package enum Part: Sendable, Hashable {
    case literal(String)
    case parameter(String)
  }

  /// The names of the places, in the order of the text.
  package var parameters: [String] {
    parts.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
  }

  /// Tells whether it names its own server.
  package var isAbsolute: Bool {
    let lower = text.lowercased()
    return lower.hasPrefix("http://") || lower.hasPrefix("https://")
  }

  /// Without scheme and host, unless nothing would be left.
  package var path: String {
    guard isAbsolute else { return text }
    let host = text.drop { $0 != "/" }.drop { $0 == "/" }
    let path = host.drop { $0 != "/" }
    return path.contains { $0.isLetter || $0.isNumber } ? String(path) : String(host)
  }

  /// Parts of a text; nil where a brace is not closed or a place has no name.
  package init?(_ text: String) {
    self.text = text
    var parts: [Part] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.first {
      let isStart = literal.last.map { "/=,;&".contains($0) } ?? true
      if character == "{" {
        guard let end = rest.firstIndex(of: "}") else { return nil }
        let name = rest[rest.index(after: rest.startIndex)..<end]
        guard !name.isEmpty, name.allSatisfy(Self.isOfName) else { return nil }
        Self.add(&parts, &literal, String(name))
        rest = rest[rest.index(after: end)...]
      } else if character == ":", isStart, !rest.hasPrefix("://") {
        let name = rest.dropFirst().prefix(while: Self.isOfName)
        guard !name.isEmpty else { return nil }
        Self.add(&parts, &literal, String(name))
        rest = rest[name.endIndex...]
      } else if character.isWhitespace || character == "}" {
        return nil
      } else {
        literal.append(character)
        rest = rest.dropFirst()
      }
    }
    if !literal.isEmpty { parts.append(.literal(literal)) }
    guard !parts.isEmpty else { return nil }
    self.parts = parts
  }

  private static func add(_ parts: inout [Part], _ literal: inout String, _ name: String) {
    if !literal.isEmpty { parts.append(.literal(literal)) }
    literal = ""
    parts.append(.parameter(name))
  }

  private static func isOfName(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "-"
  }
}
