import Foundation
import MPaaSDatabase
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// Requests before the cut: all classes of its bytes, of both framings.
@Suite("Requests that are cut, doubled or in another order") struct CutRequestTests {
  /// The places in the bytes of a request where its connection ends.
  private static func places(_ request: [UInt8], headEnd: Int) -> [Int] {
    let line = (request.firstIndex(of: 13) ?? 0)
    let colon = request[line...].firstIndex(of: UInt8(ascii: ":")) ?? 0
    return [
      // In the method, between line and line end, after it, in a header's name, in its value, before the empty line.
      2, line, line + 1, line + 2, line + 4, colon + 2, headEnd - 3, headEnd - 1,
      // The whole head, and then the body from its first byte to all but its last.
      headEnd, headEnd + 1, (headEnd + request.count) / 2, request.count - 1, request.count,
    ]
  }

  private static func head(_ server: TestServer, _ first: String, _ lines: [String]) -> [UInt8] {
    let all = [first, "Host: 127.0.0.1", "Authorization: Bearer \(server.token)"] + lines
    return Array((all.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// Cuts a connection after so many bytes of a request.
  private static func send(_ request: [UInt8], upTo place: Int, to server: TestServer) async throws {
    let connection = try TestConnection(server.port)
    try await connection.write(Array(request[..<place]))
    connection.cut()
  }

  /// Sends what is missing until all is there; what was cut may come to the server later than the question.
  private static func finish(_ location: String, _ bytes: [UInt8], at server: TestServer) async throws {
    for _ in 0..<100 {
      let offset = try await server.offset(location)
      if offset == bytes.count { return }
      guard offset >= 0 else { continue }
      let answer = try await server.tus(
        "PATCH", location, ["Upload-Offset": "\(offset)"], body: Array(bytes[offset...]))
      if answer.status == 204 { return }
      #expect([409, 423, 0].contains(answer.status))
    }
    Issue.record("the upload is never whole")
  }

  @Test("a PATCH that is cut at any kind of byte keeps no byte that was not sent", arguments: ["", "sha256"])
  func patch(checksum: String) async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(40_000)
    let sum = "Upload-Checksum: sha256 \(Sample.base64(Sample.sha256(bytes)))"
    var lines = [
      "Tus-Resumable: 1.0.0", "Content-Type: application/offset+octet-stream", "Upload-Offset: 0",
      "Content-Length: \(bytes.count)",
    ]
    if !checksum.isEmpty { lines.append(sum) }
    let size = Self.head(server, "PATCH /uploads/0 HTTP/1.1", lines).count
    for index in Self.places([UInt8](repeating: 13, count: size + bytes.count), headEnd: size).indices {
      let location = try await server.made(bytes.count)
      let head = Self.head(server, "PATCH \(TestServer.path(location)) HTTP/1.1", lines)
      let request = head + bytes
      let place = Self.places(request, headEnd: head.count)[index]
      try await Self.send(request, upTo: place, to: server)
      var offset = -1
      while offset < 0 { offset = try await server.offset(location) }
      let sent = max(0, place - head.count)
      #expect(offset <= sent, "cut at \(place) of \(request.count)")
      if !checksum.isEmpty { #expect(offset == 0 || offset == bytes.count) }
      try await Self.finish(location, bytes, at: server)
      #expect(try await server.send("GET", TestServer.path(location)).body == bytes, "cut at \(place)")
    }
    await server.end()
  }

  @Test("a body in chunks that is cut at any kind of byte does not end there: nothing is published")
  func chunked() async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(3000)
    func part(_ range: Range<Int>) -> [UInt8] {
      Array("\(String(range.count, radix: 16))\r\n".utf8) + bytes[range] + Array("\r\n".utf8)
    }
    let body = part(0..<1000) + part(1000..<3000) + Array("0\r\n\r\n".utf8)
    // The size, its line end, data, the data's line end, the next size, before the end, in it, and all.
    let places = [0, 1, 3, 4, 5, 500, 1005, 1006, 1007, 1008, 2000, body.count - 6, body.count - 5, body.count - 3]
    for (number, place) in places.enumerated() {
      let name = "cut-\(number)"
      let head = Self.head(
        server, "POST /uploads HTTP/1.1",
        [
          "Upload-Draft-Interop-Version: 8", "Upload-Complete: ?1", "Transfer-Encoding: chunked",
          "Upload-Metadata: \(Sample.metadata(["batch": name]))",
        ])
      try await Self.send(head + body, upTo: head.count + place, to: server)
      // The same batch again, whole: one upload, which holds what is right.
      var answer = TestAnswer()
      for _ in 0..<100 {
        answer = try await server.draft(
          "POST", "/uploads", ["Upload-Complete": "?0", "Upload-Metadata": Sample.metadata(["batch": name])], body: [])
        if answer.headers["location"] != nil, answer.headers["upload-complete"] == "?0" { break }
        try await Task.sleep(for: .milliseconds(20))
      }
      let location = answer.headers["location"] ?? ""
      #expect(answer.headers["upload-complete"] == "?0", "cut at \(place): \(answer.status) \(answer.text)")
      // On a busy machine the request that was cut has not ended yet: the question is refused (423), and asked again.
      var offset = -1
      while offset < 0 {
        offset = Int(try await server.draft("HEAD", location).headers["upload-offset"] ?? "") ?? -1
      }
      #expect(offset <= 3000)
      #expect(try await server.send("GET", TestServer.path(location)).status == 404, "cut at \(place)")
      let rest = try await server.draft(
        "PATCH", location, ["Upload-Offset": "\(offset)", "Upload-Complete": "?1"],
        body: Array(bytes[offset...]))
      #expect(rest.status == 200, "cut at \(place): \(rest.text)")
      #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
    }
    await server.end()
  }

  @Test("a creation that is cut at any kind of byte, and sent again with its batch, is one upload")
  func creation() async throws {
    let server = try await TestServer()
    let bytes = Sample.bytes(2000)
    for index in 0..<13 {
      let metadata = Sample.metadata(["batch": "create-\(index)", "sha256": Sample.sha256(bytes).hexadecimal])
      let head = Self.head(
        server, "POST /uploads HTTP/1.1",
        [
          "Tus-Resumable: 1.0.0", "Content-Type: application/offset+octet-stream", "Upload-Length: \(bytes.count)",
          "Upload-Metadata: \(metadata)", "Content-Length: \(bytes.count)",
        ])
      let request = head + bytes
      try await Self.send(request, upTo: Self.places(request, headEnd: head.count)[index], to: server)
      var location = ""
      while !location.hasPrefix("http"), !location.hasPrefix("/") {
        location = try await server.made(bytes.count, ["Upload-Metadata": metadata])
      }
      try await Self.finish(location, bytes, at: server)
      #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
    }
    let count = try await server.services.store.read { try $0.row("SELECT count(*) FROM uploads") { $0.integer(0) } }
    #expect(count == 13)
    await server.end()
  }

  @Test("pieces that come several times and in any order are taken once each, in theirs")
  func shuffled() async throws {
    let server = try await TestServer()
    var random = SeededRandom(seed: 5)
    let bytes = Sample.bytes(50_000)
    let location = try await server.made(bytes.count, ["Upload-Metadata": Sample.metadata(["batch": "shuffled"])])
    var rounds = 0
    while rounds < 1000 {
      let offset = try await server.offset(location)
      guard offset < bytes.count else { break }
      rounds += 1
      // A request that another one ended has left a part of its piece: the rest, as from a client that asked how far it
      // came.
      if offset % 5000 > 0 {
        let rest = Array(bytes[offset..<offset - offset % 5000 + 5000])
        let answer = try await server.tus("PATCH", location, ["Upload-Offset": "\(offset)"], body: rest)
        #expect([204, 409, 423, 0].contains(answer.status), "\(answer.status)")
      }
      // Each piece twice, all at once.
      let starts = Array(stride(from: 0, to: bytes.count, by: 5000))
      let pieces = (starts + starts).shuffled(using: &random)
      let taken = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
        for start in pieces {
          group.addTask {
            let answer = try await server.tus(
              "PATCH", location, ["Upload-Offset": "\(start)"], body: Array(bytes[start..<start + 5000]))
            return (start, answer.status)
          }
        }
        var taken: [Int] = []
        for try await (start, status) in group {
          // 403: all of it is there already.
          #expect([204, 409, 423, 403, 0].contains(status), "\(status)")
          if status == 204 { taken.append(start) }
        }
        return taken
      }
      #expect(Set(taken).count == taken.count, "a piece was taken twice")
    }
    #expect(try await server.offset(location) == bytes.count)
    #expect(try await server.send("GET", TestServer.path(location)).body == bytes)
    await server.end()
  }
}
