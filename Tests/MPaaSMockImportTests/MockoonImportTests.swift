import Foundation
import MPaaSJSON
import MPaaSMock
import MPaaSMockImport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Stubs of Mockoon's environments") struct MockoonImportTests {
  static let files = [
    "file", "mock-export", "mock1", "mock2", "mock3", "mock4", "petstore-imported", "repair", "wrong-cert",
  ]

  @Test("are taken by the mock, for every environment", .fixtures, arguments: files)
  func fixtures(_ name: String) throws {
    let bytes = Array(try Fixture.data("rpc/mockoon/cli/test/data/envs/\(name).json"))
    let found = try MockFormat.mockoon.read(bytes, file: "\(name).json")
    let stubs = try StubMapping.list(found.document)
    #expect(stubs.count == found.stubs.count)
    let root = try JSONSource(parsing: bytes, file: "").root
    #expect(MockFormat.detected(root) == .mockoon)
    if name == "mock1" {
      #expect(found.stubs[0]["request"]?["urlPath"]?.string == "/api/test")
      #expect(
        found.stubs[1]["response"]?["body"]?.string?.hasPrefix("{{systemValue type='ENVIRONMENT' key='TEST_ENV_VAR'}}-")
          == true)
    }
    if name == "petstore-imported" {
      #expect(found.stubs.map { $0["request"]?["urlPathTemplate"]?.string }.last == "/v1/pets/{petId}")
      #expect(found.notes.isEmpty)
    }
    if name == "file" { #expect(found.notes.contains { $0.name == "filePath ../body-files/file1.txt" }) }
    if name == "repair" { #expect(found.notes.map(\.name) == ["method"]) }
  }

  @Test("are not made of a broken file, which is refused with its place", .fixtures)
  func broken() throws {
    let bytes = Array(try Fixture.data("rpc/mockoon/cli/test/data/envs/broken.json"))
    do throws(MockImportError) {
      _ = try MockFormat.mockoon.read(bytes, file: "broken.json")
      Issue.record("read")
    } catch {
      #expect(error.code == .malformed)
      #expect(error.place == .text(file: "broken.json", line: 2, column: 3))
    }
  }

  static let environment = #"""
    {"name":"E","endpointPrefix":"","latency":10,"headers":[{"key":"A","value":"env"},{"key":"B","value":"env"}],
     "data":[{"id":"b1","name":"pets","value":"[1,2]"}],"proxyMode":true,"proxyHost":"https://up.example",
     "routes":[
      {"type":"http","method":"get","endpoint":"users/:id","responseMode":null,"responses":[
       {"label":"usual","body":"{{urlParam 'id'}} {{queryParam 'q' 'none'}} {{data 'pets'}}","statusCode":200,
        "headers":[{"key":"a","value":"own"}],"rules":[],"default":true,"latency":5},
       {"label":"rules","body":"x","statusCode":404,"rulesOperator":"OR","rules":[
        {"target":"params","modifier":"id","value":"0","operator":"equals"},
        {"target":"query","modifier":"n","value":"a+","operator":"regex","invert":true}]},
       {"label":"and","body":"y","statusCode":400,"rulesOperator":"AND","rules":[
        {"target":"body","modifier":"a.0.b","value":"1","operator":"equals"},
        {"target":"header","modifier":"H","value":"","operator":"null"}]},
       {"label":"lost","body":"z","statusCode":500,"rulesOperator":"AND","rules":[
        {"target":"request_number","modifier":"","value":"3","operator":"equals"},
        {"target":"header","modifier":"H","value":"1","operator":"equals"}]}]},
      {"type":"http","method":"all","endpoint":"seq","responseMode":"SEQUENTIAL","responses":[
       {"body":"1","statusCode":200,"rules":[]},{"body":"2","statusCode":200,"rules":[]}]},
      {"type":"crud","method":"","endpoint":"things","responses":[]},
      {"type":"http","method":"get","endpoint":"files/*","responses":[{"bodyType":"DATABUCKET","databucketID":"b1",
       "statusCode":200,"rules":[]}]}]}
    """#

  @Test("have rules, sequences, templates, data and the proxy, in the order in which Mockoon tries them")
  func parts() throws {
    let (stubs, found) = try stubs(.mockoon, Self.environment)
    #expect(stubs.count == 8)
    let requests = found.stubs.map { $0["request"]?.line ?? "" }
    #expect(requests[0] == #"{"method":"GET","urlPathTemplate":"/users/{id}","pathParameters":{"id":{"equalTo":"0"}}}"#)
    #expect(requests[1].hasSuffix(#""queryParameters":{"n":{"not":{"matches":"[\\s\\S]*(?:a+)[\\s\\S]*"}}}}"#))
    #expect(
      requests[2].hasSuffix(
        #""headers":{"H":{"absent":true}},"bodyPatterns":[{"matchesJsonPath":{"expression":"$.a[0].b","equalTo":"1"}}]}"#
      ))
    let usual = found.stubs[3]
    #expect(
      usual["response"]?["body"]?.string
        == "{{{request.path.id}}} {{#if request.query.q}}{{{request.query.q}}}{{else}}none{{/if}} [1,2]")
    #expect(usual["response"]?["headers"]?.line == #"{"a":"own","B":"env"}"#)
    #expect(usual["response"]?["fixedDelayMilliseconds"]?.line == "15")
    #expect(
      stubs[4].scenario == StubMapping.Scenario("GET /seq", required: "Started", next: "2")
        || stubs[4].scenario?.next == "2")
    #expect(found.stubs[6]["request"]?["urlPathPattern"]?.string == "/files/.*")
    #expect(found.stubs[6]["response"]?["body"]?.string == "[1,2]")
    #expect(found.stubs[7]["response"]?["proxyBaseUrl"]?.string == "https://up.example")
    #expect(found.notes.map(\.name) == ["rule request_number equals", "crud"])
  }

  @Test("name the helpers that the mock does not have, and keep JSON valid in their place")
  func helpers() throws {
    let body =
      #"{\"a\": {{faker 'person.firstName'}}, \"b\": \"{{someHelper 1}}\", \"n\": {{faker 'number.int' max=9}}}"#
    let text =
      #"{"name":"E","routes":[{"method":"get","endpoint":"a","responses":[{"body":"\#(body)","statusCode":200}]}]}"#
    let (_, found) = try stubs(.mockoon, text)
    #expect(found.notes.map(\.name) == ["faker person.firstName", "someHelper 1"])
    #expect(
      found.stubs[0]["response"]?["body"]?.string
        == #"{"a": null, "b": "someHelper 1", "n": {{randomInt lower=0 upper=9}}}"#)
  }
}
