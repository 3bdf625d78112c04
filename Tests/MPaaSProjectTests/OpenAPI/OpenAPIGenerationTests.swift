import Foundation
import MPaaSOpenAPI
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSProject

@Suite("Calls from OpenAPI") struct OpenAPIGenerationTests {
  private static let folder = Fixture.package.appending(path: "Examples/OpenAPI")

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
  }

  private func generated(
    _ only: [String] = [], _ description: String? = nil, _ change: (inout APIGeneration) -> Void = { _ in }
  ) throws -> APIGeneration.Result {
    let description = try description ?? text("bookshop.yaml")
    let files = MemoryFiles(["shop/bookshop.yaml": description, "shop/money.yaml": try text("money.yaml")])
    var generation = APIGeneration()
    generation.only = only
    generation.files = .init(client: files.client)
    change(&generation)
    return try generation.run(Array(description.utf8), file: "shop/bookshop.yaml")
  }

  @Test("client and server of the example understand each other", .tool("swiftc"))
  func example() throws {
    let folder = try TemporaryFolder()
    var paths = try generated([], nil) { $0.hasSamples = true }.sources.map { source in
      let path = folder.path + "/" + source.name
      try Data(source.text().utf8).write(to: URL(filePath: path))
      return path
    }
    paths.append(Fixture.package.appending(path: "Tests/GeneratedCode/BookshopSession.swift").path)
    let flags = ["-swift-version", "6", "-warnings-as-errors", "-parse-as-library", "-module-name", "Session"]
    let outcome = try Command.run("swiftc", flags + paths + ["-o", folder.path + "/session"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    let session = try Command.run(folder.path + "/session")
    #expect(session.output == "all is well\n", "\(session.output)\(session.errors)")
    #expect(session.status == 0, "\(session.output)\(session.errors)")
  }

  @Test("each type that a description names has a value that its schema takes, the same each time")
  func samples() throws {
    let result = try generated([], nil) { $0.hasSamples = true }
    let samples = try #require(result.sources.first { $0.name == "BookshopSamples.swift" })
    #expect(samples.body.contains("extension Book {") && samples.body.contains("static var sample: Book {"))
    #expect(try generated([], nil) { $0.hasSamples = true }.sources == result.sources)
    #expect(result.notes.isEmpty, "\(result.notes)")
    #expect(try !generated().sources.contains { $0.name.contains("Samples") })
    let broken = """
      openapi: 3.1.0
      info: { title: T, version: '1' }
      paths: {}
      components: { schemas: { A: { type: object, required: [b], properties: { b: false } }, B: { type: object, properties: { c: {} } } } }
      """
    let some = try generated([], broken) { $0.hasSamples = true }
    #expect(some.notes.map(\.code.id.name).contains("api-sample-missing"), "\(some.notes)")
    #expect(some.sources.contains { $0.body.contains("static var sample: B {") })
  }

  @Test("a client may go through MPaaSRPC", arguments: SwiftModelWriter.Options.Access.allCases)
  func transport(access: SwiftModelWriter.Options.Access) throws {
    let result = try generated([], nil) {
      $0.transport = .rpc
      $0.writer = SwiftModelWriter.Options(access: access)
    }
    let adapter = try #require(result.sources.first { $0.name == "RPCAPITransport.swift" })
    let word = access == .internal ? "" : access.rawValue + " "
    #expect(adapter.body.hasPrefix(word + "import MPaaSRPC\n"))
    #expect(adapter.body.contains("\n\(word)struct RPCAPITransport: APITransport {"))
    #expect(try !generated().sources.contains { $0.body.contains("MPaaSRPC") })
  }

  @Test("large values in values are stored elsewhere, so that a compiler is not busy for minutes")
  func large() throws {
    var schemas: [String] = []
    for level in 0..<12 {
      let members = (0..<4).map { level < 11 ? "p\($0): { $ref: '#/components/schemas/L\(level + 1)' }" : "p\($0): {}" }
      let required = "required: [p0, p1, p2, p3]"
      schemas.append("    L\(level): { type: object, \(required), properties: { \(members.joined(separator: ", ")) } }")
    }
    let description = """
      openapi: 3.1.0
      info: { title: T, version: '1' }
      paths: {}
      components:
        schemas:
      \(schemas.joined(separator: "\n"))
      """
    let body = try generated([], description).sources.map(\.body).joined()
    func isBoxed(_ level: Int) -> Bool { body.contains("@JSONIndirect var p0: L\(level)\n") }
    // L11 has five fields and L10 twenty-one; L9 has places for four of L10, and so five again.
    #expect(!isBoxed(11) && isBoxed(10) && !isBoxed(9) && isBoxed(8), "\(body)")
  }

  @Test("the same description gives the same files, one for each tag")
  func stable() throws {
    let first = try generated()
    #expect(try generated().sources == first.sources)
    let names = first.sources.map(\.name)
    #expect(names.contains("BookshopAPI+Books.swift"), "\(names)")
    #expect(names.contains("BookshopAPI+Orders.swift"), "\(names)")
  }

  @Test("a tag, an operation, or method and path alone are made", arguments: ["books", "listBooks", "GET /books"])
  func only(_ word: String) throws {
    let some = try generated([word])
    #expect(some.calls.contains { $0.name == "ListBooks" })
    #expect(!some.calls.contains { $0.name == "PlaceOrder" })
    #expect(some.types.contains("Book"))
    #expect(!some.types.contains("Invoice"), "\(some.types)")
    #expect(!some.sources.contains { $0.name.contains("+Orders") })
  }

  @Test("a tag that is not there is refused, and so is an option of the other kind of file")
  func refused() throws {
    #expect(refusal { _ = try generated(["Books"]) } == "api-only-unknown")
    var generation = APIGeneration()
    generation.objectiveCPrefix = ""
    #expect(refusal { _ = try generation.run(Array("openapi: 3.1.0".utf8), file: "a.yaml") } == "api-option-unfit")
    generation.only = ["books"]
    #expect(refusal { _ = try generation.run(Array("{}".utf8), file: "a.json") } == "api-option-unfit")
  }

  private func refusal(_ work: () throws -> Void) -> String? {
    do {
      try work()
      return nil
    } catch {
      return (error as? GenerationError)?.code.id.name ?? "\(error)"
    }
  }

  @Test("descriptions that are mutated are made or refused with a place, and nothing else happens")
  func mutated() throws {
    let usual = Array(try text("bookshop.yaml").utf8)
    var random = SeededRandom(seed: 26)
    for _ in 0..<SeededRandom.rounds(or: 100) {
      var bytes = usual
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 32...126, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: "0123456789-#/{}[]:&*$\n".utf8.shuffled(using: &random).prefix(3), at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 30))
        }
      }
      do {
        _ = try generated([], String(decoding: bytes, as: UTF8.self))
      } catch {
        #expect((error as? GenerationError)?.place != nil, "\(error)")
      }
    }
  }
}
