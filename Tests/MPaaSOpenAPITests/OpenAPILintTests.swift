import Foundation
import MPaaSOpenAPI
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Lint of descriptions") struct OpenAPILintTests {
  private func errors(_ text: String) throws -> [String] {
    let document = try OpenAPIDocument(Array(text.utf8), file: "api.yaml")
    return try OpenAPILint.whole(document).map { $0.error.code.id.name }
  }

  @Test("passes and fails the specification's own documents as they are named", .fixtures)
  func documents() throws {
    var count = 0
    for version in ["3.1", "3.2"] {
      for verdict in ["pass", "fail"] {
        let folder = try Fixture.path("rpc/openapi/oai-\(version)/\(verdict)")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
          let findings = try OpenAPILint.file(folder + "/" + name, documentOnly: true)
          let hasErrors = findings.contains { $0.severity == .error }
          #expect(hasErrors == (verdict == "fail"), "\(version) \(name): \(findings.map(\.error))")
          count += 1
        }
      }
    }
    #expect(count == 76)
  }

  @Test("tells operations, parameters, paths, examples and components that cannot be right, with their places")
  func meaning() throws {
    let found = try errors(
      """
      openapi: 3.1.0
      info: {title: Pets, version: "1"}
      security: [{key: []}]
      paths:
        /pets/{id}:
          get:
            operationId: pets
            responses: {"200": {description: ok, content: {application/json: {schema: {type: integer}, example: a}}}}
        /pets/{name}:
          get:
            operationId: pets
            parameters: [{name: other, in: path, required: true, schema: {type: string}}]
            responses: {"200": {$ref: '#/components/responses/None'}}
      components:
        schemas: {Unused: {type: string, pattern: '(?=a)'}}
      """)
    let wanted = [
      "openapi-lint-operation-twice", "openapi-lint-parameter-missing", "openapi-lint-parameter-unused",
      "openapi-lint-path-ambiguous", "openapi-lint-example", "openapi-lint-unused", "openapi-lint-scheme",
      "openapi-reference-missing", "openapi-lint-pattern-unsupported",
    ]
    for id in wanted { #expect(found.contains(id), "\(id) is not in \(found)") }
  }

  @Test("reads references across files, in circles too, and refuses those that lead out of the folder or away")
  func files() throws {
    let files = MemoryFiles([
      "api/main.yaml": """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      paths:
        /a: {get: {responses: {"200": {$ref: 'parts/r.yaml#/R'}}}}
        /b: {get: {responses: {"200": {$ref: '../secret.yaml#/R'}}}}
        /c: {get: {responses: {"200": {$ref: 'https://example.com/r.yaml'}}}}
      """,
      "api/parts/r.yaml": """
      R: {description: ok, content: {application/json: {schema: {$ref: '#/Node'}}}}
      Node: {type: object, properties: {next: {$ref: '../main.yaml#/paths/~1a'}, self: {$ref: '#/Node'}}}
      """,
      "secret.yaml": "R: {description: no}",
    ])
    let document = try OpenAPIDocument(file: "api/main.yaml", files: OpenAPIFiles(client: files.client))
    let ids = document.faults.map(\.code.id.name)
    #expect(document.paths[0].operations[0].responses.count == 1)
    #expect(ids.contains("openapi-reference-outside") && ids.contains("openapi-reference-remote"))
    #expect(document.paths[1].operations[0].responses.isEmpty)
    let open = try OpenAPIDocument(
      file: "api/main.yaml", files: OpenAPIFiles(client: files.client, allowsOutside: true))
    #expect(open.paths[1].operations[0].responses.count == 1)
  }

  @Test("ends with an answer whatever bytes a document has", .fixtures)
  func mutations() throws {
    var random = SeededRandom(seed: 26)
    let original = [UInt8](try Fixture.data("rpc/openapi/oai-3.2/pass/mega.yaml"))
    for _ in 0..<300 {
      var bytes = original
      for _ in 0..<(1 + Int.random(in: 0..<6, using: &random)) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let document = try? OpenAPIDocument(bytes, file: "api.yaml") else { continue }
      _ = try? OpenAPILint.whole(document)
    }
  }
}
