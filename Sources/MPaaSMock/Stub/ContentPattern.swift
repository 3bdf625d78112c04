import MPaaSJSON
import MPaaSSupport

/// A pattern that a text or a body is held against.
package indirect enum ContentPattern: Sendable {
  case equalTo(String, ignoresCase: Bool)
  case binaryEqualTo([UInt8])
  case contains(String)
  case doesNotContain(String)
  case matches(JavaPattern)
  case doesNotMatch(JavaPattern)
  case not(ContentPattern)
  case and([ContentPattern])
  case or([ContentPattern])
  /// With false: must be there.
  case absent(Bool)
  case dateTime(DateTimePattern)
  case equalToJSON(JSONEquality)
  case jsonPath(JSONPath, then: ContentPattern?)
  case equalToXML(XMLEquality)
  case xpath(XPathPattern)
  case jsonSchema(JSONSchemaPattern)
  case number(NumberPattern)
  /// Of several values: each pattern has one, and none is left over.
  case hasExactly([ContentPattern])
  /// Of several values: each pattern has one.
  case includes([ContentPattern])

  package static func equalTo(_ text: String) -> ContentPattern { .equalTo(text, ignoresCase: false) }
}

extension ContentPattern {
  /// The words by which a pattern is told from others.
  static let words: Set<String> = [
    "equalTo", "binaryEqualTo", "contains", "doesNotContain", "matches", "doesNotMatch", "not", "and", "or", "absent",
    "before", "after", "equalToDateTime", "equalToJson", "matchesJsonPath", "equalToXml", "matchesXPath",
    "matchesJsonSchema", "equalToNumber", "greaterThanNumber", "greaterThanEqualNumber", "lessThanNumber",
    "lessThanEqualNumber", "hasExactly", "includes", "anything",
  ]

  /// Reads a pattern.
  package init(_ reader: StubReader) throws(StubProblem) {
    let words = try reader.object().map(\.name).filter { Self.words.contains($0) }
    guard let word = words.first, let value = Self.value(word, in: reader) else {
      let names = try reader.object().map(\.name).joined(separator: ", ")
      throw reader.problem("no kind of pattern is known among the members: \(names)")
    }
    guard words.count == 1 else {
      throw reader.problem("has several kinds of patterns: \(words.joined(separator: ", "))")
    }
    switch word {
    case "equalTo":
      self = .equalTo(try value.scalarText(), ignoresCase: try reader.flag("caseInsensitive") ?? false)
    case "binaryEqualTo":
      guard let bytes = Base64.decode(loose: Array(try value.string().utf8)) else {
        throw value.problem("is no Base64")
      }
      self = .binaryEqualTo(bytes)
    case "contains": self = .contains(try value.scalarText())
    case "doesNotContain": self = .doesNotContain(try value.scalarText())
    case "matches": self = .matches(try Self.expression(value))
    case "doesNotMatch": self = .doesNotMatch(try Self.expression(value))
    case "not": self = .not(try ContentPattern(value))
    case "and": self = .and(try Self.list(value))
    case "or": self = .or(try Self.list(value))
    case "hasExactly": self = .hasExactly(try Self.list(value))
    case "includes": self = .includes(try Self.list(value))
    case "absent": self = .absent(try value.bool())
    case "anything": self = .or([.absent(true), .absent(false)])
    default: self = try Self.document(word, value, reader)
    }
  }

  private static func document(
    _ word: String, _ value: StubReader, _ reader: StubReader
  ) throws(StubProblem) -> ContentPattern {
    switch word {
    case "before", "after", "equalToDateTime": .dateTime(try DateTimePattern(word, value, reader))
    case "equalToJson": .equalToJSON(try JSONEquality(value, reader))
    case "matchesJsonPath": try jsonPath(value)
    case "equalToXml": .equalToXML(try XMLEquality(value, reader))
    case "matchesXPath": .xpath(try XPathPattern(value, reader))
    case "matchesJsonSchema": .jsonSchema(try JSONSchemaPattern(value, reader))
    default: .number(try NumberPattern(word, value))
    }
  }

  /// The member of a pattern; null where it stands for absence.
  private static func value(_ word: String, in reader: StubReader) -> StubReader? {
    reader.node[word].map { StubReader($0, pointer: StubReader.pointer(reader.pointer, word)) }
  }

  static func list(_ reader: StubReader) throws(StubProblem) -> [ContentPattern] {
    try reader.array().map { element throws(StubProblem) in try ContentPattern(element) }
  }

  static func expression(_ reader: StubReader) throws(StubProblem) -> JavaPattern {
    let text = try reader.string()
    do throws(JavaPatternError) { return try JavaPattern(text) } catch {
      throw reader.problem("is no regular expression: \(error.reason), at character \(error.offset + 1)")
    }
  }

  private static func jsonPath(_ value: StubReader) throws(StubProblem) -> ContentPattern {
    let isObject = value.node.members != nil
    guard let expression = isObject ? value["expression"] : value else {
      throw value.problem("has no expression")
    }
    let text = try expression.string()
    let path: JSONPath
    do throws(JSONPathError) { path = try JSONPath(text) } catch {
      throw expression.problem("is no JSONPath: \(error.reason), at character \(error.offset + 1)")
    }
    return .jsonPath(path, then: isObject ? try sub(value) : nil)
  }

  /// The pattern beside an expression; nil where there is none.
  static func sub(_ value: StubReader) throws(StubProblem) -> ContentPattern? {
    let rest = try value.others(than: ["expression", "xPathNamespaces"])
    guard !rest.isEmpty else { return nil }
    return try ContentPattern(StubReader(JSONNode(.object(rest), at: value.node.position), pointer: value.pointer))
  }
}
