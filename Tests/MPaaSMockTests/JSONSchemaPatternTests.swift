import MPaaSJSON
import MPaaSMock
import MPaaSTestSupport
import Testing

@Suite("Schemas of stubs") struct JSONSchemaPatternTests {
  private static func pattern(_ text: String) throws -> ContentPattern {
    try ContentPattern(StubReader(JSONSource(parsing: Array(text.utf8), file: "stub.json").root))
  }

  private static func problem(_ text: String) -> StubProblem? {
    do {
      _ = try pattern(text)
      return nil
    } catch { return error as? StubProblem }
  }

  @Test("take all words of their version")
  func words() throws {
    let rest = try Self.pattern(
      """
      {"matchesJsonSchema": {"type": "object", "patternProperties": {"^x-": {"type": "integer"}},
        "if": {"required": ["a"]}, "then": {"required": ["b"]}, "unevaluatedProperties": false, "properties":
        {"a": {}, "b": {"contains": {"const": 1}}}}}
      """)
    #expect(rest.matches(#"{"x-n": 1, "a": null, "b": [1]}"#))
    #expect(!rest.matches(#"{"x-n": "1"}"#))
    #expect(!rest.matches(#"{"a": 1}"#))
    #expect(!rest.matches(#"{"c": 1}"#))
    #expect(!rest.matches("no JSON"))
    let tuple = #"{"matchesJsonSchema": "{\"items\": [{\"type\": \"string\"}]}", "schemaVersion": "V7"}"#
    #expect(try Self.pattern(tuple).matches(#"["a", 1]"#))
    #expect(try !Self.pattern(tuple).matches("[1]"))
    let old = #"{"matchesJsonSchema": {"minimum": 3, "exclusiveMinimum": true}, "schemaVersion": "V4"}"#
    #expect(try !Self.pattern(old).matches("3"))
  }

  @Test(
    "are refused where they are none, with the path of the fault",
    arguments: [
      (#"{"matchesJsonSchema": {"properties": {"a/b": {"type": "thing"}}}}"#, "/properties/a~1b/type"),
      (#"{"matchesJsonSchema": {"allOf": [{"minLength": -1}]}}"#, "/allOf/0/minLength"),
      (##"{"matchesJsonSchema": {"$ref": "#/$defs/none"}}"##, "/$ref"),
      (#"{"matchesJsonSchema": {"$ref": "https://example.com/other.json"}}"#, "/$ref"),
      (#"{"matchesJsonSchema": {"pattern": "("}}"#, "/pattern"),
      (#"{"matchesJsonSchema": {"pattern": "(?=a)"}}"#, "/pattern"),
      (#"{"matchesJsonSchema": "{\"items\": {\"pattern\": 1}}"}"#, "/items/pattern"),
      (#"{"matchesJsonSchema": {"$id": 5}}"#, "/$id"), (#"{"matchesJsonSchema": [1]}"#, ""),
    ])
  func faults(_ text: String, _ path: String) {
    #expect(Self.problem(text)?.pointer == "/matchesJsonSchema" + path)
  }

  @Test("name a version that there is")
  func versions() {
    let problem = Self.problem(#"{"matchesJsonSchema": {}, "schemaVersion": "V3"}"#)
    #expect(problem?.pointer == "/schemaVersion")
  }
}
