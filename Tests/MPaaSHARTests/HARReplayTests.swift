import Foundation
import MPaaSHAR
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Answers from a recording") struct HARReplayTests {
  static func file(_ exchanges: [(String, String, String, String)]) throws -> HARFile {
    var recorder = HARRecorder(creator: "mpaas", version: "1")
    var bytes = recorder.begin
    #expect(try HARFile(bytes, file: "").entries.isEmpty)
    for (method, url, body, answer) in exchanges {
      let exchange = HARExchange(
        started: 1, method: method, url: url, requestHeaders: [HARField("content-type", "application/json")],
        requestBody: Array(body.utf8), status: 200,
        responseHeaders: [HARField("Content-Length", "9"), HARField("X-A", "1")], responseBody: Array(answer.utf8))
      let next = recorder.append(exchange)
      bytes = Array(bytes.prefix(Int(next.place))) + next.bytes
      // The file is whole after each entry.
      #expect(try HARFile(bytes, file: "").entries.count == recorder.count)
    }
    let file = try HARFile(bytes, file: "")
    #expect(file.bytes == bytes)
    return file
  }

  private func text(_ answer: HARReplay.Answer?) -> String? { answer.map { String(decoding: $0.body, as: UTF8.self) } }

  @Test("are those of the same method, path, query in any order, and JSON in any order of members")
  func best() throws {
    var replay = HARReplay(
      try Self.file([
        ("GET", "https://h/a?x=1&y=2", "", "one"), ("GET", "https://h/a?x=1", "", "two"),
        ("POST", "https://h/a", #"{"a":1,"b":[2]}"#, "three"), ("POST", "https://h/a", #"{"a":2,"b":[2]}"#, "four"),
      ]))
    #expect(text(replay.answer(method: "get", url: "/a?y=2&x=1")) == "one")
    #expect(text(replay.answer(method: "GET", url: "https://h/a?x=1")) == "two")
    #expect(text(replay.answer(method: "POST", url: "/a", body: Array(#"{ "b":[2], "a":1.0 }"#.utf8))) == "three")
    #expect(text(replay.answer(method: "POST", url: "/a", body: Array(#"{"a":2,"b":[3]}"#.utf8))) == "four")
    #expect(replay.answer(method: "PUT", url: "/a") == nil)
    #expect(replay.answer(method: "GET", url: "/b") == nil)
    let answer = replay.answer(method: "GET", url: "http://other/a?x=1")
    #expect(answer?.isExact == false)
    #expect(answer?.headers == [HARField("X-A", "1")])
  }

  @Test("come in the order of the recording where a request was recorded several times, and the last one stays")
  func sequence() throws {
    let file = try Self.file([
      ("GET", "http://h/s", "", "1"), ("GET", "http://h/s?q=1", "", "other"), ("GET", "http://h/s", "", "2"),
      ("GET", "http://h/s", "", "3"),
    ])
    var replay = HARReplay(file)
    let answers = (0..<5).map { _ in text(replay.answer(method: "GET", url: "/s")) }
    #expect(answers == ["1", "2", "3", "3", "3"])
    #expect(text(replay.answer(method: "GET", url: "/s?q=1")) == "other")
    replay.restart()
    #expect(text(replay.answer(method: "GET", url: "/s")) == "1")
  }

  @Test("need the same query and body where only exact ones are wanted, but for what is not compared")
  func exact() throws {
    let file = try Self.file([("POST", "http://h/p?ts=1&a=1", #"{"nonce":1,"v":1}"#, "x")])
    var replay = HARReplay(file, closeness: .exact, ignoring: ["ts", "nonce"])
    #expect(replay.answer(method: "POST", url: "/p?a=1&ts=2", body: Array(#"{"nonce":2,"v":1}"#.utf8))?.isExact == true)
    #expect(replay.answer(method: "POST", url: "/p?a=2&ts=2", body: Array(#"{"nonce":2,"v":1}"#.utf8)) == nil)
    #expect(replay.answer(method: "POST", url: "/p?a=1", body: Array(#"{"nonce":2,"v":2}"#.utf8)) == nil)
  }

  @Test("are found for requests whose secrets the recording does not have")
  func masked() throws {
    let file = try Self.file([
      ("GET", "http://h/p?token=abc&id=1", "", "1"), ("GET", "http://h/p?token=def&id=2", "", "2"),
    ])
    var replay = HARReplay(file, closeness: .exact)
    #expect(text(replay.answer(method: "GET", url: "/p?id=2&token=new")) == "2")
  }

  @Test("are there for what browsers recorded, but not for what was blocked", .fixtures)
  func browsers() throws {
    for name in HARFileTests.names {
      let file = try HARFileTests.file(name)
      var replay = HARReplay(file)
      #expect(replay.count == file.entries.count { $0.response.status > 0 })
      for (index, entry) in file.entries.enumerated() where entry.response.status > 0 {
        let answer = replay.answer(
          method: entry.request.method, url: entry.request.url, headers: entry.request.headers,
          body: entry.request.body ?? [])
        #expect(answer?.isExact == true)
        #expect(answer?.status == entry.response.status, "\(name) \(index)")
      }
    }
  }
}
