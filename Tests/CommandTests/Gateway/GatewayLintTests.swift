import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas gateway lint") struct GatewayLintTests {
  private static let broken = """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    paths:
      /pets/{id}:
        get:
          operationId: showPet
          responses: {"200": {description: One pet.}}
    """

  private func lint(_ text: String, _ options: String...) throws -> (status: Int32, output: String) {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pets.yaml"
    try Data(text.utf8).write(to: URL(filePath: path))
    let result = try withExtendedLifetime(folder) { try Command.run("mpaas", ["gateway", "lint", path] + options) }
    return (result.status, result.output)
  }

  @Test("ends with 1 for a parameter that is missing, and says where and how it is mended")
  func missing() throws {
    let result = try lint(Self.broken)
    #expect(result.status == 1)
    #expect(result.output.contains("pets.yaml:6:7: error:"))
    #expect(result.output.contains("[openapi-lint-parameter-missing]"))
    #expect(result.output.contains("help:"))
  }

  @Test("compares the file alone with the specification")
  func documentOnly() throws {
    #expect(try lint(Self.broken, "--document-only").status == 0)
    #expect(try lint("openapi: 3.1.0\ninfo: {title: a}\npaths: {}", "--document-only").status == 1)
  }

  @Test("prints its findings as JSON, of a file that is no YAML, too")
  func json() throws {
    let result = try lint("a: [", "--json")
    #expect(result.status == 1)
    #expect(result.output.contains(#""yaml-syntax""#))
  }
}
