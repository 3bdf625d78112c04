import Foundation
import MPaaSJSONSchema
import MPaaSProject
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// The models' source of one schema, as `mpaas generate model` writes it.
func models(
  _ schema: String, name: String = "Root", file: String = "root.schema.json", input: ModelGeneration.Input? = nil,
  options: MPaaSProject.SchemaCompiler.Options = MPaaSProject.SchemaCompiler.Options()
) throws -> String {
  var generation = ModelGeneration()
  generation.name = name
  generation.input = input
  generation.support = .none
  generation.compiler = options
  return try #require(generation.run([(file, Array(schema.utf8))]).files.first).body
}

@Suite("The reader of JSON Schema") struct SchemaReadingTests {
  static let refused: [(String, String, String)] = [
    ("{\"type\": \"object\",\n  \"properties\" }", "source-syntax", "root.schema.json:2:16"),
    ("{\n  \"items\": 5}", "schema-not-schema", "root.schema.json:2:12"),
    ("{\n  \"type\": \"text\"}", "schema-keyword", "root.schema.json:2:11"),
    ("{\"required\": [1]}", "schema-keyword", "root.schema.json:1:14"),
    ("{\"minLength\": -1}", "schema-keyword", "root.schema.json:1:15"),
    ("{\"maximum\": \"9\"}", "schema-keyword", "root.schema.json:1:13"),
    ("{\"properties\": {\"a\": {\"$ref\": \"#/definitions/b\"}}}", "schema-ref-missing", "root.schema.json:1:31"),
    ("{\"$ref\": \"other.json\"}", "schema-ref-missing", "root.schema.json:1:10"),
    ("{\"allOf\": [{\"$ref\": \"#\"}]}", "schema-ref-cycle", "root.schema.json:1:1"),
    ("{\"definitions\": {\"a\": {\"$ref\": \"#/definitions/a\"}}}", "schema-ref-cycle", "root.schema.json:1:23"),
    ("{\"pattern\": \"a(\"}", "schema-pattern", "root.schema.json:1:13"),
    ("{\"pattern\": \"(?<=a)b\"}", "schema-pattern", "root.schema.json:1:13"),
  ]

  @Test("says what is wrong with a schema, and where", arguments: refused)
  func places(schema: String, code: String, place: String) throws {
    let error = try #require(throws: GenerationError.self) { try models(schema) }
    #expect(error.code.id.name == code)
    #expect(error.place.map { "\($0)" } == place)
  }

  @Test("finds what references mean: pointers, addresses, anchors, other files")
  func references() throws {
    var generation = ModelGeneration()
    generation.support = .none
    let first =
      ##"{"type": "object", "properties": {"b": {"$ref": "../b/b.json#/$defs/x"}, "c": {"$ref": "#here"}}, "##
      + #""$defs": {"y": {"$anchor": "here", "type": "integer"}}, "additionalProperties": false}"#
    let second = #"{"$defs": {"x": {"type": "boolean"}}}"#
    let result = try generation.run([("s/a/a.json", Array(first.utf8)), ("s/b/b.json", Array(second.utf8))])
    let body = try #require(result.files.first).body
    #expect(body.contains("var b: Bool?"))
    #expect(body.contains("var c: Int?"))
  }

  @Test(
    "resolves addresses as RFC 3986 says",
    arguments: [
      ("d.json", "http://e.com/b/c.json", "http://e.com/b/d.json"), ("/x", "http://e.com/b/c.json", "http://e.com/x"),
      ("../../x", "http://e.com/a/b/c", "http://e.com/x"), ("#a", "urn:x:y#b", "urn:x:y#a"),
      ("", "http://e/a#b", "http://e/a"),
      ("//f.com/x", "http://e.com/b", "http://f.com/x"), ("urn:a:b", "http://e.com/b", "urn:a:b"),
    ])
  func addresses(reference: String, base: String, whole: String) {
    #expect(SchemaAddress.resolve(reference, base) == whole)
  }

  /// Real schemas with bytes changed, taken out and put in at random.
  @Test("neither crashes nor hangs on schemas that were damaged", .fixtures)
  func fuzz() throws {
    let folder = URL(filePath: try Fixture.path("project/quicktype/schema"))
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".schema") }
      .sorted()
    let seeds = try files.map { [UInt8](try Data(contentsOf: folder.appending(path: $0))) }.filter { $0.count < 3000 }
    var random = SeededRandom(seed: 6)
    let words = [
      "\"$ref\": \"#\"", "\"type\"", "[", "{", "}", "null", "true", "\"#/definitions/List\"", "1e400", "\"items\": ",
    ]
    for round in 0..<SeededRandom.rounds(or: 600) {
      var bytes = seeds[round % seeds.count]
      for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 32...126, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9, using: &random)))
        case 2: bytes.insert(contentsOf: Array(words[Int.random(in: 0..<words.count, using: &random)].utf8), at: place)
        default: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
        }
      }
      var generation = ModelGeneration()
      generation.input = round % 3 == 0 ? .sample : .schema
      _ = try? generation.run([("x.json", bytes)])
    }
  }

  @Test("refuses what is too deep, too large or turns in circles")
  func limits() throws {
    let deep = String(repeating: "{\"items\":", count: 400) + "{}" + String(repeating: "}", count: 400)
    #expect(throws: GenerationError.self) { try models(deep) }
    let nested =
      String(repeating: "{\"type\":\"array\",\"items\":", count: 240) + "{}" + String(repeating: "}", count: 240)
    #expect(throws: GenerationError.self) { try models(nested) }
    // Each definition mentions the one before twice: without sharing this would be 2^30 checks.
    var definitions = ["\"d0\": {\"type\": \"integer\", \"minimum\": 0, \"maximum\": 9, \"multipleOf\": 3}"]
    for number in 1...30 {
      let reference = "{\"$ref\": \"#/definitions/d\(number - 1)\"}"
      definitions.append("\"d\(number)\": {\"not\": {\"anyOf\": [\(reference), {\"not\": \(reference)}]}}")
    }
    let wide = "{\"definitions\": {\(definitions.joined(separator: ","))}, \"$ref\": \"#/definitions/d30\"}"
    #expect(try models(wide).count < 20_000)
  }

  @Test("gives the same bytes for the same input, every time", .fixtures)
  func determinism() throws {
    let text = String(decoding: try Fixture.data("project/quicktype/schema/keyword-unions.schema"), as: UTF8.self)
    let first = try models(text)
    for _ in 0..<3 { #expect(try models(text) == first) }
  }
}
