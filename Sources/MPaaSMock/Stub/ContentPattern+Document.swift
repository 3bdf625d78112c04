package import MPaaSJSON
import MPaaSSupport

extension ContentPattern {
  /// The pattern as a stub writes it.
  package var document: JSONNode {
    switch self {
    case .equalTo(let text, let ignoresCase):
      .members([("equalTo", .text(text)), ("caseInsensitive", ignoresCase ? .flag(true) : nil)])
    case .binaryEqualTo(let bytes): .members([("binaryEqualTo", .text(Base64.encode(bytes)))])
    case .contains(let text): .members([("contains", .text(text))])
    case .doesNotContain(let text): .members([("doesNotContain", .text(text))])
    case .matches(let pattern): .members([("matches", .text(pattern.text))])
    case .doesNotMatch(let pattern): .members([("doesNotMatch", .text(pattern.text))])
    case .not(let pattern): .members([("not", pattern.document)])
    case .and(let patterns): Self.document("and", patterns)
    case .or(let patterns): Self.document("or", patterns)
    case .hasExactly(let patterns): Self.document("hasExactly", patterns)
    case .includes(let patterns): Self.document("includes", patterns)
    case .absent(let isAbsent): .members([("absent", .flag(isAbsent))])
    case .dateTime(let pattern): pattern.document
    case .equalToJSON(let pattern): pattern.document
    case .jsonPath(let path, let sub):
      .members([("matchesJsonPath", Self.document(expression: path.text, sub))])
    case .equalToXML(let pattern): pattern.document
    case .xpath(let pattern): pattern.document
    case .jsonSchema(let pattern): pattern.document
    case .number(let pattern): pattern.document
    }
  }

  private static func document(_ word: String, _ patterns: [ContentPattern]) -> JSONNode {
    .members([(word, .list(patterns.map(\.document)))])
  }

  static func document(expression: String, _ sub: ContentPattern?) -> JSONNode {
    guard let sub else { return .text(expression) }
    return JSONNode(.object([.init(name: "expression", value: .text(expression))] + (sub.document.members ?? [])))
  }
}
