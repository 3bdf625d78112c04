import Foundation
import MPaaSJSON
import MPaaSJSONSchema
import MPaaSTestSupport
import Testing

@Suite("Validation by JSON Schema") struct SchemaSuiteTests {
  private func node(_ path: String) throws -> JSONNode {
    try JSONSource(parsing: [UInt8](try Data(contentsOf: URL(filePath: path))), file: path, depth: 512).root
  }

  private func files(_ folder: String) -> [String] {
    (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".json") }.sorted()
  }

  /// Groups whose schemas refer to the schemas of schemas, which are not given.
  private static let meta = ["remote ref, containing refs itself", "validate definition against metaschema"]

  @Test(
    "agrees with the official suite",
    .fixtures, arguments: [("draft7", SchemaDialect.draft7), ("draft2020-12", .draft2020)])
  func suite(draft: String, dialect: SchemaDialect) throws {
    let root = try Fixture.path("project/jsonschema")
    var base = SchemaRegistry()
    for file in files(root + "/remotes") where !file.hasPrefix("draft") || file.hasPrefix(draft) {
      base.add(try node(root + "/remotes/" + file), at: "http://localhost:1234/" + file, dialect: dialect)
    }
    var count = 0
    for file in files(root + "/" + draft) where !file.hasPrefix("optional/") {
      for group in try node(root + "/" + draft + "/" + file).elements ?? [] {
        let title = group["description"]?.string ?? ""
        guard let schema = group["schema"], !Self.meta.contains(title) else { continue }
        guard !schema.line.contains("json-schema.org/draft-07/schema#\"}") else { continue }
        var registry = base
        registry.add(schema, at: "test:schema", dialect: dialect)
        var compiler = SchemaCompiler(registry)
        let compiled = compiler.compile("test:schema")
        let index = try #require(compiled)
        let validator = compiler.validator
        for test in group["tests"]?.elements ?? [] {
          guard let data = test["data"] else { continue }
          count += 1
          let place = "\(file): \(title) / \(test["description"]?.string ?? "")"
          #expect(validator.accepts(data, by: index) == test["valid"]?.bool, "\(place)")
          #expect(validator.violations(of: data, by: index).isEmpty == test["valid"]?.bool, "\(place)")
        }
      }
    }
    #expect(count > 600, "\(count)")
  }

  @Test(
    "compares decimals exactly",
    arguments: [
      ("0.3", "0.1", true), ("4.02", "0.01", true), ("4.025", "0.01", false), ("1e308", "0.5", true),
      ("12345678901234567890.5", "0.5", true), ("12345678901234567890.4", "0.5", false), ("0", "7", true),
    ])
  func decimals(value: String, divisor: String, isMultiple: Bool) throws {
    var registry = SchemaRegistry()
    let schema = try JSONSource(parsing: Array(#"{"multipleOf": \#(divisor)}"#.utf8), file: "").root
    registry.add(schema, at: "s", dialect: .draft2020)
    var compiler = SchemaCompiler(registry)
    let compiled = compiler.compile("s")
    let index = try #require(compiled)
    let number = try #require(JSONNumber(value))
    #expect(compiler.validator.accepts(JSONNode(.number(number)), by: index) == isMultiple)
  }

  @Test("tells which patterns it cannot take, and checks all else")
  func patterns() throws {
    var registry = SchemaRegistry()
    let text = #"{"pattern": "^(?=a)b", "minLength": 2, "properties": {"x": {"pattern": "(a"}}}"#
    registry.add(try JSONSource(parsing: Array(text.utf8), file: "").root, at: "s", dialect: .draft2020)
    var compiler = SchemaCompiler(registry)
    let compiled = compiler.compile("s")
    let index = try #require(compiled)
    #expect(compiler.faults.contains { $0.code == .patternUnsupported && $0.isRemark && $0.detail == "^(?=a)b" })
    #expect(!compiler.validator.accepts(JSONNode(.string("c")), by: index))
  }

  @Test("ends for schemas that refer to themselves without end")
  func circle() throws {
    var registry = SchemaRegistry()
    registry.add(try JSONSource(parsing: Array(##"{"$ref": "#"}"##.utf8), file: "").root, at: "s", dialect: .draft2020)
    var compiler = SchemaCompiler(registry)
    let compiled = compiler.compile("s")
    let index = try #require(compiled)
    #expect(!compiler.validator.accepts(JSONNode(.null), by: index))
  }
}
