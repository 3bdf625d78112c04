import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas generate api") struct GenerateAPITests {
  private let home: TemporaryFolder
  private let scaffold = Fixture.package.appending(path: "Examples/Scaffold/library.json").path

  init() throws { home = try TemporaryFolder() }

  private func generate(_ arguments: String...) throws -> Command.Outcome {
    try Command.run(
      "mpaas", ["generate", "api"] + arguments, environment: ["MPAAS_HOME": home.path, "LC_ALL": "C"],
      directory: home.url)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: home.url.appending(path: name), encoding: .utf8)
  }

  @Test("writes calls, models and what they stand on, and says what it passed over")
  func files() throws {
    let outcome = try generate(scaffold, "--output", "out", "--json")
    try #require(outcome.status == 0, "\(outcome.errors)")
    let document = try json(outcome.output)
    let files = document["files"] as? [[String: Any]] ?? []
    #expect(
      files.map { $0["path"] as? String }
        == ["out/LibraryAPI.swift", "out/LibraryModels.swift", "out/JSONModelSupport.swift"])
    #expect(files.allSatisfy { $0["state"] as? String == "new" })
    let api = try #require((document["apis"] as? [[String: Any]])?.first)
    let calls = api["calls"] as? [[String: Any]] ?? []
    #expect(calls.first?["name"] as? String == "Books")
    #expect(calls.first?["url"] as? String == "/books")
    #expect((api["notes"] as? [[String: Any]])?.map { $0["id"] as? String } == ["scaffold-call-skipped"])
    #expect(try text("out/LibraryAPI.swift").contains("struct LibraryAPI: MessageController"))
  }

  @Test("made again it changes nothing, keeps what is between the marks, and spares what was edited elsewhere")
  func again() throws {
    #expect(try generate(scaffold).status == 0)
    let first = try text("LibraryAPI.swift")
    let kept = first.replacing(
      "// MARK: - Yours until here", with: "extension Books {}\n// MARK: - Yours until here")
    try kept.write(to: home.url.appending(path: "LibraryAPI.swift"), atomically: true, encoding: .utf8)
    let again = try generate(scaffold)
    #expect(again.status == 0)
    #expect(again.output.contains("unchanged"))
    #expect(!again.output.contains("changed   Lib"))
    #expect(try text("LibraryAPI.swift") == kept)
    try kept.replacing("Void", with: "Int").write(
      to: home.url.appending(path: "LibraryAPI.swift"), atomically: true, encoding: .utf8)
    let refused = try generate(scaffold)
    #expect(refused.status == 73, "\(refused.errors)")
    #expect(refused.errors.contains("LibraryAPI.swift"), "\(refused.errors)")
    #expect(try generate(scaffold, "--force").status == 0)
    #expect(try text("LibraryAPI.swift") == kept)
  }

  @Test("a dry run writes nothing; one file takes calls and models; Objective-C stands beside them")
  func shapes() throws {
    let dry = try generate(scaffold, "--dry-run")
    #expect(dry.status == 0)
    #expect(dry.output.contains("LibraryAPI.swift"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).filter { $0.hasSuffix(".swift") }.isEmpty)
    let one = try generate(scaffold, "--output", "Room.swift", "--name", "Room", "--objc", "--prefix", "RR")
    #expect(one.status == 0, "\(one.errors)")
    #expect(try text("Room.swift").contains("struct RoomAPI"))
    #expect(try text("Room.swift").contains("struct Book: JSONModel"))
    #expect(try text("RRRoomModels.h").contains("@interface RRBook : NSObject"))
  }

  @Test("errors name the place and end with 65; wrong options end with 64")
  func errors() throws {
    let broken = home.url.appending(path: "broken.json")
    try "{\n  \"model\": {\"A\": {\"b\": \"{C}\"}}\n}".write(to: broken, atomically: true, encoding: .utf8)
    let outcome = try generate("broken.json")
    #expect(outcome.status == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("broken.json:2:19"), "\(outcome.errors)")
    #expect(outcome.errors.contains("A.b is of type {C}"))
    #expect(try generate("missing.json").status == 66)
    #expect(try generate(scaffold, scaffold, "--name", "X").status == 64)
    #expect(try generate(scaffold, "--name", "a b").status == 64)
  }
}
