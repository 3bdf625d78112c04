import Foundation
import MPaaSHAR
import MPaaSJSON
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("Recordings in HAR 1.2") struct HARFileTests {
  static let names = ["charles", "chrome", "firefox", "insomnia", "postdata", "with-bom"]

  static func file(_ name: String) throws -> HARFile {
    try HARFile(Array(Fixture.data("rpc/har/\(name).har")), file: "\(name).har")
  }

  @Test("are read as mitmproxy reads them", .fixtures, arguments: names)
  func peer(_ name: String) throws {
    let file = try Self.file(name)
    let flows = try #require(
      try JSONSerialization.jsonObject(with: Fixture.data("rpc/har/\(name).json")) as? [[String: Any]])
    #expect(file.entries.count == flows.count)
    for (entry, flow) in zip(file.entries, flows) {
      let request = try #require(flow["request"] as? [String: Any])
      let response = try #require(flow["response"] as? [String: Any])
      #expect(entry.request.method == request["method"] as? String)
      #expect(entry.request.target == request["path"] as? String)
      let address = HARAddress(entry.request.url)
      #expect(address.scheme == request["scheme"] as? String)
      #expect(address.authority.hasPrefix(try #require(request["host"] as? String)))
      let headers = try #require(request["headers"] as? [[String]])
      // mitmproxy adds the length of a body where a recording does not have it.
      let hasLength = entry.request.headers.header("content-length") != nil
      let expected = headers.filter { hasLength || $0[0] != "content-length" }
      let isSame = entry.request.headers == expected.map { HARField($0[0], $0[1]) }
      #expect(isSame, "\(entry.request.url)")
      #expect(entry.response.status == response["status_code"] as? Int)
      let started = try #require(request["timestamp_start"] as? Double)
      #expect(abs(try #require(entry.started) - started) < 0.001)
      if let type = entry.request.bodyType, !type.isEmpty {
        #expect((entry.request.body ?? []).count == request["contentLength"] as? Int)
      }
    }
  }

  @Test("are written as they were read, with members that the format does not know", .fixtures, arguments: names)
  func lossless(_ name: String) throws {
    let bytes = Array(try Fixture.data("rpc/har/\(name).har"))
    let read = try JSONSource(parsing: bytes, file: "").root
    let file = try HARFile(bytes, file: name)
    #expect(file.node.line == read.line)
    let written = try JSONSource(parsing: file.bytes, file: "").root
    #expect(written.line == read.line)
    #expect(try HARFile(file.bytes, file: name).bytes == file.bytes)
  }

  @Test("have bodies as they were: Base64 for pictures, forms from their parameters", .fixtures)
  func bodies() throws {
    let icon = try #require(try Self.file("firefox").entries.last)
    #expect(icon.response.bodyType == "image/vnd.microsoft.icon")
    #expect(icon.response.body?.count == icon.response.bodySize)
    let form = """
      {"log":{"entries":[{"request":{"method":"POST","url":"http://h/p?q=1","postData":{"mimeType":
      "application/x-www-form-urlencoded","params":[{"name":"a b","value":"1&2"},{"name":"c"}]}},
      "response":{"status":204}}]}}
      """
    let entry = try #require(try HARFile(Array(form.utf8), file: "").entries.first)
    #expect(entry.request.body.map { String(decoding: $0, as: UTF8.self) } == "a%20b=1%262&c=")
    #expect(entry.response.body == nil)
  }

  @Test("are refused with the place of what is wrong")
  func refusals() {
    let cases: [(String, String, String)] = [
      ("{", "har-malformed", ""), ("[]", "har-shape", "log"), ("{\"log\":{}}", "har-shape", "log.entries"),
      ("{\"log\":{\"entries\":[1]}}", "har-shape", "log.entries[0].request"),
      (
        "{\"log\":{\"entries\":[{\"request\":{\"method\":\"GET\"}}]}}", "har-shape", "log.entries[0].request.url"
      ),
      (
        #"{"log":{"entries":[{"request":{"method":"GET","url":"/","headers":[{"name":"a"}]},"response":{"status":1}}]}}"#,
        "har-shape", "log.entries[0].request.headers"
      ),
    ]
    for (text, id, member) in cases {
      do throws(HARError) {
        _ = try HARFile(Array(text.utf8), file: "a.har")
        Issue.record("read: \(text)")
      } catch {
        #expect(error.code.id.name == id)
        #expect((error.values["member"] ?? "") == member)
      }
    }
  }

  @Test("know moments of any zone, and write those of UTC")
  func moments() throws {
    func started(_ text: String) throws -> Double? {
      let file = """
        {"log":{"entries":[{"startedDateTime":"\(text)","request":{"method":"GET","url":"/"},"response":{"status":1}}]}}
        """
      return try HARFile(Array(file.utf8), file: "").entries.first?.started
    }
    #expect(try started("2023-07-15T21:37:26.093+08:00") == 1_689_428_246.093)
    #expect(try started("2023-07-15T13:37:26Z") == 1_689_428_246)
    for wrong in ["2023-07-15", "2023-02-30T00:00:00Z", "2023-07-15T13:37:26", "", "2023-07-15T13:37:26.1+9:00"] {
      #expect(try started(wrong) == nil)
    }
  }
}
