import Foundation
import MPaaSJSON
import MPaaSMock
import MPaaSTestSupport
import Testing

@Suite("The stubs of a mock") struct StubLibraryTests {
  private static func library() -> StubLibrary {
    StubLibrary(MockWorld(now: { 1_700_000_000 }, random: MockRandom(seed: 1)))
  }

  private static func stub(_ text: String) throws -> StubMapping {
    try StubMapping(JSONSource(parsing: Array(text.utf8), file: "stub.json").root)
  }

  private static func body(_ library: StubLibrary, _ method: String, _ target: String, _ body: String = "") -> String? {
    let request = MockRequest(method, target, headers: [("X-A", "1")], body: Array(body.utf8))
    guard case .answer(let answer, _) = StubSource(library).answer(request, at: 1_700_000_000) else { return nil }
    return String(decoding: answer.body, as: UTF8.self)
  }

  @Test("are found by priority, then by age, whatever kind their URL is of")
  func order() throws {
    let library = Self.library()
    try library.add(Self.stub(#"{"request":{"urlPath":"/a/1"},"response":{"body":"path"}}"#))
    try library.add(Self.stub(#"{"request":{"url":"/a/1?x=1"},"response":{"body":"url"}}"#))
    #expect(Self.body(library, "GET", "/a/1") == "path")
    #expect(Self.body(library, "GET", "/a/1?x=1") == "url")
    try library.add(Self.stub(#"{"request":{"urlPathPattern":"/a/[0-9]+"},"response":{"body":"pattern"}}"#))
    #expect(Self.body(library, "GET", "/a/1?x=1") == "pattern")
    try library.add(Self.stub(#"{"priority":1,"request":{"urlPathTemplate":"/a/{id}"},"response":{"body":"first"}}"#))
    try library.add(Self.stub(#"{"priority":9,"request":{},"response":{"body":"last"}}"#))
    #expect(Self.body(library, "GET", "/a/1?x=1") == "first")
    #expect(Self.body(library, "GET", "/b") == "last")
  }

  @Test("move a scenario on, and begin in Started")
  func scenario() throws {
    let library = Self.library()
    try library.add(
      Self.stub(
        #"{"scenarioName":"s","requiredScenarioState":"Started","newScenarioState":"two","request":{"url":"/s"},"response":{"body":"1"}}"#
      ))
    try library.add(
      Self.stub(#"{"scenarioName":"s","requiredScenarioState":"two","request":{"url":"/s"},"response":{"body":"2"}}"#))
    #expect(Self.body(library, "GET", "/s") == "1")
    #expect(Self.body(library, "GET", "/s") == "2")
    #expect(library.scenarios.map(\.state) == ["two"])
    library.resetScenarios()
    #expect(Self.body(library, "GET", "/s") == "1")
  }

  @Test("of WireMock's own files are read, and written as they mean", .fixtures)
  func roundTrip() throws {
    let folder = URL(filePath: try Fixture.path("rpc/wiremock/resources"))
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files
    where file.pathExtension == "json" && !file.path.contains("message-mappings") {
      let node = try JSONSource(parsing: Array(Data(contentsOf: file)), file: file.path).root
      for stub in try StubMapping.list(node) {
        let again = try StubMapping(stub.document)
        #expect(again.document.isSame(as: stub.document))
        count += 1
      }
    }
    #expect(count > 10)
  }

  @Test("that are bad are refused with the path of the fault")
  func faults() throws {
    for (text, pointer) in [
      (#"{"request":{"headers":{"A/b":{"matches":"("}}},"response":{}}"#, "/request/headers/A~1b/matches"),
      (#"{"request":{"url":"/a","urlPath":"/b"},"response":{}}"#, "/request"),
      (#"{"request":{},"response":{"status":"x"}}"#, "/response/status"),
      (#"{"request":{},"response":{"headers":{"A":"b\r\nC: d"}}}"#, "/response/headers/A"),
      (#"{"request":{"bodyPatterns":[{"equalToJson":"{"}]},"response":{}}"#, "/request/bodyPatterns/0/equalToJson"),
      (#"{"request":{},"response":{"fault":"X"}}"#, "/response/fault"),
    ] {
      do {
        _ = try Self.stub(text)
        Issue.record("\(text) was taken")
      } catch let problem as StubProblem { #expect(problem.pointer == pointer) }
    }
  }

  @Test("broken at random are read or refused, and answer whatever comes", .fixtures)
  func fuzz() throws {
    let library = Self.library()
    let seed = Array(
      #"{"request":{"urlPathPattern":"/a/(b|c)+[^d]{1,3}","headers":{"X-A":{"matchesJsonPath":"$.a[?(@.b =~ /c+/ && @.d > 1)]"}},"bodyPatterns":[{"matchesXPath":"//a[@b='c' and position()<3]/text()"},{"equalToXml":"<a><b/></a>"}]},"response":{"body":"{{#each (range 1 3) as |x|}}{{math x '*' 2}}{{else}}-{{/each}}","transformers":["response-template"]}}"#
        .utf8)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<3000 {
      var bytes = seed
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0x20...0x7e, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        }
      }
      guard let node = try? JSONSource(parsing: bytes, file: "").root, let stub = try? StubMapping(node),
        let added = try? library.add(stub)
      else { continue }
      _ = Self.body(library, "GET", "/a/bcx", "<a><b/></a>")
      library.remove(added.id)
    }
  }
}
