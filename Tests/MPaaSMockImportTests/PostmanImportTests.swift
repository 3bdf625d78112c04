import Foundation
import MPaaSJSON
import MPaaSMock
import MPaaSMockImport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Stubs of Postman's collections") struct PostmanImportTests {
  static let collection = #"""
    {"info":{"name":"C","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
     "variable":[{"key":"base","value":"https://api.example"},{"key":"v","value":"v1"}],
     "auth":{"type":"bearer"},
     "item":[{"name":"Users","item":[
      {"name":"One","request":{"method":"GET","url":{"raw":"{{base}}/{{v}}/users/:id?x=1","host":["{{base}}"],
       "path":["{{v}}","users",":id"],"query":[{"key":"x","value":"1"}]}},
       "response":[{"name":"found","status":"OK","code":200,"header":[{"key":"Content-Type","value":"application/json"},
        {"key":"Set-Cookie","value":"a=1"},{"key":"Set-Cookie","value":"b=2"},{"key":"Content-Length","value":"9"}],
        "body":"{\"id\":1}"},
        {"name":"missing","status":"Not Found","code":404,"header":[],"body":null,"originalRequest":{"method":"GET",
        "url":{"raw":"{{base}}/v1/users/0","path":["v1","users","0"]}}}]},
      {"name":"Create","request":{"method":"POST","url":"https://api.example/v1/users","body":{"mode":"raw","raw":"{\"a\":1}"}},
       "response":[{"name":"made","code":201,"header":null,"body":"ok"}],"event":[{"listen":"test"}]}]},
      {"name":"Nothing saved","request":{"method":"GET","url":"{{other}}/x"},"response":[]}]}
    """#

  @Test("are their saved examples, those with more conditions first, and what is left out is named")
  func examples() throws {
    let (stubs, found) = try stubs(.postman, Self.collection)
    #expect(stubs.map(\.response.status) == [200, 201, 404])
    #expect(
      found.stubs.map { $0["request"]?.line } == [
        #"{"method":"GET","urlPathTemplate":"/v1/users/{id}","queryParameters":{"x":{"equalTo":"1"}}}"#,
        #"{"method":"POST","urlPath":"/v1/users","bodyPatterns":[{"equalToJson":"{\"a\":1}"}]}"#,
        #"{"method":"GET","urlPath":"/v1/users/0"}"#,
      ])
    #expect(
      found.stubs[0]["response"]?["headers"]?.line
        == #"{"Content-Type":"application/json","Set-Cookie":["a=1","b=2"]}"#)
    #expect(
      found.stubs.map { $0["name"]?.string } == [
        "Users / One / found", "Users / Create / made", "Users / One / missing",
      ])
    #expect(
      found.notes.map { "\($0.kind) \($0.name) \($0.place)" } == [
        "feature auth collection", "feature event Users / Create", "route example Nothing saved",
      ])
  }

  @Test("of other versions are refused")
  func version() {
    let text = #"{"info":{"schema":"https://schema.getpostman.com/json/collection/v1.0.0/"},"item":[]}"#
    #expect(throws: MockImportError.self) { try MockFormat.postman.read(Array(text.utf8), file: "f") }
  }
}

@Suite("Broken files of other mock servers") struct MockImportFuzzTests {
  @Test("are refused or become stubs that the mock takes, and never stop the program", .fixtures)
  func mutations() throws {
    var random = SeededRandom(seed: 4)
    let files: [(MockFormat, [UInt8])] = [
      (.hoverfly, Array(HoverflyImportTests.simulation.utf8)), (.mockoon, Array(MockoonImportTests.environment.utf8)),
      (.postman, Array(PostmanImportTests.collection.utf8)),
      (.hoverfly, Array(try Fixture.data("rpc/hoverfly/hoverfly.io.json"))),
      (.mockoon, Array(try Fixture.data("rpc/mockoon/cli/test/data/envs/petstore-imported.json"))),
    ]
    var taken = 0
    for (format, original) in files {
      for _ in 0..<SeededRandom.rounds(or: 400) {
        var bytes = original
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let place = Int.random(in: 0..<bytes.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: bytes[place] = UInt8.random(in: 0x20...0x7e, using: &random)
          case 1: bytes.remove(at: place)
          case 2: bytes.insert(contentsOf: Array("{{#(\"'".utf8).shuffled(using: &random).prefix(2), at: place)
          default: bytes.removeSubrange(place..<min(place + Int.random(in: 1...60, using: &random), bytes.count))
          }
        }
        guard let found = try? format.read(bytes, file: "f") else { continue }
        taken += 1
        #expect(try JSONSource(parsing: Array(found.document.line.utf8), file: "").root.line == found.document.line)
        _ = try? StubMapping.list(found.document)
      }
    }
    #expect(taken > 0)
  }
}
