import MPaaSJSON
import MPaaSLock
import MPaaSMock
import Testing

@Suite("Bodies of recorded answers") struct BodyExtractionTests {
  private static func json(_ text: String) throws -> JSONNode {
    try JSONSource(parsing: Array(text.utf8), file: "a.json").root
  }

  /// Records two answers by a specification, and gives the stubs and the files.
  private static func recorded(_ specification: String) throws -> (stubs: [JSONNode], files: [String: [UInt8]]) {
    let files = Lock([String: [UInt8]]())
    var world = MockWorld(now: { 0 })
    world.files = MockFiles(
      read: { name in files.withLock { $0[name] } }, names: { files.withLock { $0.keys.sorted() } },
      write: { name, bytes in
        files.withLock { $0[name] = bytes }
        return true
      }, remove: { _ in })
    let gateway = MockGateway(StubLibrary(world))
    let admin = AdminAPI(gateway)
    let started = admin.answer(
      MockRequest("POST", "/__admin/recordings/start", body: Array(specification.utf8)))
    guard started.status == 200 else { throw StubProblem("", String(decoding: started.body, as: UTF8.self)) }
    let text = MockAnswer(200, headers: [("Content-Type", "application/json")], body: Array(#"{"a":"long"}"#.utf8))
    _ = gateway.note(MockRequest("GET", "/text"), passedOn: text)
    _ = gateway.note(MockRequest("GET", "/bytes"), passedOn: MockAnswer(200, body: [0xff, 0xfe, 0xfd]))
    let stopped = admin.answer(MockRequest("POST", "/__admin/recordings/stop"))
    let stubs = try json(String(decoding: stopped.body, as: UTF8.self))["mappings"]?.elements ?? []
    return (stubs, files.withLock { $0 })
  }

  @Test("go into files from the sizes on that a recording names, and are answered from there")
  func extraction() throws {
    let start = #"{"targetBaseUrl": "http://a", "extractBodyCriteria": "#
    let both = try Self.recorded(start + "{}}")
    #expect(both.files.count == 2 && both.stubs.allSatisfy { $0["response"]?["bodyFileName"]?.string != nil })
    #expect(both.files.keys.contains { $0.hasPrefix("text-") && $0.hasSuffix(".json") })
    let texts = try Self.recorded(start + #"{"textSizeThreshold": "3", "binarySizeThreshold": "1 kb"}}"#)
    #expect(texts.files.values.map { $0 } == [Array(#"{"a":"long"}"#.utf8)])
    let none = try Self.recorded(#"{"targetBaseUrl": "http://a"}"#)
    #expect(none.files.isEmpty)
  }

  @Test("have sizes that are sizes", arguments: ["\"2 parsecs\"", "\"-1\"", "[]", "\"1e400 GB\""])
  func sizes(_ size: String) {
    #expect(throws: StubProblem.self) {
      try Self.recorded(#"{"targetBaseUrl": "http://a", "extractBodyCriteria": {"textSizeThreshold": \#(size)}}"#)
    }
  }
}
