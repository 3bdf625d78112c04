import Foundation
import MPaaSJSON
import MPaaSMock
import MPaaSMockImport
import MPaaSSupport
import MPaaSTestSupport
import Testing

/// The stubs of a document, read as the mock reads them.
func stubs(_ format: MockFormat, _ text: String) throws -> (stubs: [StubMapping], found: MockImport) {
  let found = try format.read(Array(text.utf8), file: "file.json")
  return (try StubMapping.list(found.document), found)
}

@Suite("Stubs of Hoverfly's simulations") struct HoverflyImportTests {
  @Test("are taken by the mock, with the scheme where pairs differ in it", .fixtures)
  func fixtures() throws {
    let bytes = Array(try Fixture.data("rpc/hoverfly/hoverfly.io.json"))
    let found = try MockFormat.hoverfly.read(bytes, file: "hoverfly.io.json")
    let stubs = try StubMapping.list(found.document)
    #expect(stubs.map(\.response.status) == [301, 200])
    #expect(stubs.map(\.request.scheme) == ["http", "https"])
    #expect(stubs.map(\.priority) == [1, 2])
    #expect(found.notes.allSatisfy { $0.kind == .host })
    #expect(found.stubs[0]["request"]?["url"]?.string == "/")
    let other = Array(try Fixture.data("rpc/hoverfly/simulation-with-callback.json"))
    let callback = try MockFormat.hoverfly.read(other, file: "c.json")
    #expect(callback.notes.contains { $0.kind == .feature && $0.name == "postServeAction" })
    #expect(try StubMapping.list(callback.document).count == 1)
  }

  static let simulation = #"""
    {"meta":{"schemaVersion":"v5.2"},"data":{"pairs":[{"request":{
      "path":[{"matcher":"glob","value":"/api/*/x"}],"method":[{"matcher":"regex","value":"GET|POST"}],
      "query":{"q":[{"matcher":"regex","value":"^a.c"}],"list":[{"matcher":"array","value":["1","2"]}]},
      "headers":{"X":[{"matcher":"negate","value":"no"}]},
      "body":[{"matcher":"jsonPath","value":"$.a","doMatch":{"matcher":"exact","value":"1"}},{"matcher":"jwt","value":"x"}],
      "requiresState":{"sequence:1":"1"}},
      "response":{"status":201,"body":"{{ Request.QueryParam.q }} {{randomUuid}} {{faker 'Name'}}","templated":true,
      "transitionsState":{"sequence:1":"2"},"fixedDelay":5,"logNormalDelay":{"median":100,"mean":120,"max":900}}}],
      "globalActions":{"delays":[{"urlPattern":".","delay":5}]}}}
    """#

  @Test("have patterns, states, delays and templates, and what is left out is named")
  func parts() throws {
    let (stubs, found) = try stubs(.hoverfly, Self.simulation)
    let request = try #require(found.stubs.first?["request"])
    #expect(request["urlPathPattern"]?.string == "/api/.*/x")
    #expect(
      request["queryParameters"]?.line
        == #"{"q":{"matches":"(?:a.c)[\\s\\S]*"},"list":{"hasExactly":[{"equalTo":"1"},{"equalTo":"2"}]}}"#)
    #expect(request["bodyPatterns"]?.line == #"[{"matchesJsonPath":{"expression":"$.a","equalTo":"1"}}]"#)
    let stub = try #require(stubs.first)
    #expect(stub.scenario == StubMapping.Scenario("sequence:1", required: "Started", next: "2"))
    #expect(stub.response.isTemplate)
    #expect(
      found.stubs[0]["response"]?["body"]?.string
        == "{{{request.query.q}}} {{randomValue type='UUID'}} faker Name")
    #expect(
      found.notes.map { "\($0.kind) \($0.name)" } == [
        "matcher body.jwt", "helper faker Name", "feature globalActions.delays",
      ])
    let sigma = try #require(found.stubs[0]["response"]?["delayDistribution"]?["sigma"]?.number?.double)
    #expect(abs(sigma - (2 * log(1.2)).squareRoot()) < 1e-9)
  }

  @Test("of other versions and other files are refused by name")
  func refusals() throws {
    for (text, id) in [
      (#"{"meta":{"schemaVersion":"v3"},"data":{"pairs":[]}}"#, "mock-import-version"),
      (#"{"meta":{"schemaVersion":"v5"},"data":{}}"#, "mock-import-shape"), ("{}", "mock-import-shape"),
      (#"{"meta":{"schemaVersion":"v5"},"data":{"pairs":[{}]}}"#, "mock-import-shape"), ("{", "mock-import-malformed"),
    ] {
      do throws(MockImportError) {
        _ = try MockFormat.hoverfly.read(Array(text.utf8), file: "f")
        Issue.record("read: \(text)")
      } catch {
        #expect(error.code.id.name == id)
      }
    }
  }
}
