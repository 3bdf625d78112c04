import Foundation
import HTTPTypes
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("The limits of the server") struct ServerLimitTests {
  @Test("one token's requests beyond its rate are answered 429 with Retry-After, and counted")
  func rate() async throws {
    let server = try await TestServer(uptime: Time(0)) { $0.limits.rate = 3 }
    var answers: [TestAnswer] = []
    for _ in 0..<6 { answers.append(try await server.tus("HEAD", "/uploads/none")) }
    #expect(answers.map(\.status) == [404, 404, 404, 429, 429, 429])
    #expect(answers.map { $0.headers["retry-after"] } == [nil, nil, nil, "1", "1", "1"])
    #expect(server.services.counts["refused.server-rate"] == 3)
    await server.end()
  }

  @Test("a bucket fills with time, and never beyond its size")
  func bucket() {
    let time = Time(0)
    let limit = RateLimit(rate: 2, now: { time.now })
    #expect(limit.take("a") == nil)
    #expect(limit.take("a") == nil)
    #expect(limit.take("a") == 0.5)
    #expect(limit.take("b") == nil)
    time.now = 100
    #expect(limit.take("a") == nil)
    #expect(limit.take("a") == nil)
    #expect(limit.take("a") != nil)
  }

  @Test("a connection that says nothing more is closed", .timeLimit(.minutes(10)))
  func idle() async throws {
    // Only what is to be ended talks to the impatient server: on a busy machine it finds any request idle.
    let before = try await TestServer()
    let path = TestServer.path(try await before.made(10))
    await before.end()
    let server = try await TestServer(in: before.folder) { $0.limits.idle = 1 }
    let silent = try TestConnection(server.port)
    try await silent.write(Array("GET /health HTTP/1.1\r\nHost: a\r\nX-Slow: ".utf8))
    #expect(try await silent.answer().status == 0)
    let body = try TestConnection(server.port)
    try await body.write(
      Array(
        """
        PATCH \(path) HTTP/1.1\r
        Host: a\r
        Authorization: Bearer \(server.token)\r
        Tus-Resumable: 1.0.0\r
        Content-Type: application/offset+octet-stream\r
        Upload-Offset: 0\r
        Content-Length: 10\r
        \r
        abc
        """.utf8))
    #expect([0, 400, 408].contains(try await body.answer().status))
    await server.end()
    let after = try await TestServer(in: before.folder)
    // All that was sent is kept, unless the time was over before it was read.
    #expect([0, 3].contains(try await after.offset(path)))
    await after.end()
  }

  @Test("a request head that comes byte by byte does not keep its connection open", .timeLimit(.minutes(10)))
  func drip() async throws {
    let server = try await TestServer { $0.limits.idle = 1 }
    let slow = try TestConnection(server.port)
    try await slow.write(Array("GET /health HTTP/1.1\r\nHost: a\r\nX-Slow: ".utf8))
    // Writing fails once the server has closed it.
    while try await slow.write([UInt8(ascii: "a")]) { try await Task.sleep(for: .milliseconds(100)) }
    #expect(try await slow.answer().status == 0)
    await server.end()
  }

  @Test("a body that is refused unread ends the connection after the answer")
  func unread() async throws {
    let server = try await TestServer { $0.limits.upload = 1000 }
    let connection = try TestConnection(server.port)
    try await connection.write(
      Array("POST /uploads HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\nabc".utf8))
    let answer = try await connection.answer()
    #expect(answer.status == 401)
    #expect(answer.headers["connection"] == "close")
    await server.end()
  }

  @Test("an upload that is too large is refused by its head alone, with the limit in the words of its protocol")
  func oversize() async throws {
    let server = try await TestServer { $0.limits.upload = 1000 }
    let common = "Host: a\r\nAuthorization: Bearer \(server.token)\r\nContent-Length: 5000000000\r\n"
    let tus = try TestConnection(server.port)
    try await tus.write(
      Array(
        """
        POST /uploads HTTP/1.1\r
        \(common)Tus-Resumable: 1.0.0\r
        Content-Type: application/offset+octet-stream\r
        Upload-Length: 5000000000\r
        \r

        """.utf8))
    let refused = try await tus.answer()
    #expect(refused.status == 413)
    #expect(refused.headers["tus-max-size"] == "1000")
    let draft = try TestConnection(server.port)
    try await draft.write(
      Array(
        "POST /uploads HTTP/1.1\r\n\(common)Upload-Draft-Interop-Version: 8\r\nUpload-Complete: ?1\r\n\r\n".utf8))
    let other = try await draft.answer()
    #expect(other.status == 413)
    #expect(other.headers["upload-limit"]?.contains("max-size=1000") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder.path + "/data/uploads").isEmpty)
    await server.end()
  }

  @Test("bodies come out of gzip, deflate and zstd, and one that grows too far is refused")
  func decompression() throws {
    let limits = ServerConfiguration.Limits()
    // gzip, zlib and zstd of "hello\n".
    let gzip: [UInt8] = [
      0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xe7, 2, 0, 0x20, 0x30, 0x3a, 0x36, 6, 0, 0, 0,
    ]
    #expect(try BodyDecoding.gzip.decoded(gzip, limits) == Array("hello\n".utf8))
    #expect(try BodyDecoding.identity.decoded(gzip, limits) == gzip)
    for encoding in [BodyDecoding.gzip, .deflate, .zstd] {
      #expect(throws: Refusal.self) { try encoding.decoded([1, 2, 3], limits) }
      #expect(throws: Refusal.self) { try encoding.decoded([], limits) }
    }
    var random = SeededRandom(seed: 7)
    for _ in 0..<SeededRandom.rounds(or: 300) {
      var damaged = gzip
      damaged[Int.random(in: 0..<damaged.count, using: &random)] = .random(in: .min ... .max, using: &random)
      _ = try? BodyDecoding.gzip.decoded(damaged, limits)
    }
  }

  @Test("what an app sends as JSON is refused where it comes out larger than it may be sent")
  func comesOut() async throws {
    let server = try await TestServer { $0.limits.ratio = 100_000 }
    let key = ["Authorization": "Bearer \(server.run.ready.appKey)"]
    let bodies: [(path: String, size: Int, good: Int, json: String)] = [
      ("/ofrep/v1/evaluate/flags", 256 << 10, 200, #"{"context":{"targetingKey":"1"}"#),
      ("/unleash/api/frontend", 256 << 10, 200, #"{"context":{}"#),
      ("/unleash/api/client/metrics", 2 << 20, 202, #"{"appName":"a""#),
      ("/unleash/api/client/register", 2 << 20, 202, #"{"appName":"a""#),
      ("/api/v1/badges/ack", 4 << 20, 200, #"{"user":"1","widgets":[]"#),
      ("/api/v1/feedback", 256 << 10, 400, "{"), ("/api/v1/alive", 64 << 10, 400, "{"),
      ("/api/v1/records", 20 << 20, 400, "{"),
    ]
    for (path, size, good, json) in bodies {
      for (more, status) in [(-1, good), (1, 413)] {
        let blanks = [UInt8](repeating: 0x20, count: size - json.utf8.count - 1 + more)
        let file = try TemporaryFolder()
        try Data(Array(json.utf8) + blanks + Array("}".utf8)).write(to: URL(filePath: file.path + "/body"))
        #expect(try Command.run("gzip", [file.path + "/body"]).status == 0)
        let packed = [UInt8](try Data(contentsOf: URL(filePath: file.path + "/body.gz")))
        let headers = key.merging(["Content-Encoding": "gzip"]) { $1 }
        let answer = try await server.send("POST", path, headers, body: packed)
        #expect(answer.status == status, "\(path) \(answer.text)")
      }
    }
    await server.end()
  }

  @Test("headers of uploads are read as they are meant, and nothing else")
  func headers() {
    #expect(UploadHeaders.count("12") == 12)
    for text in ["", "-1", "+1", "1 ", "9223372036854775808", "٣"] {
      #expect(UploadHeaders.count(text) == nil, "\(text)")
    }
    #expect(UploadHeaders.metadata("a YQ==,b,c Yw==") == ["a": "a", "b": "", "c": "c"])
    for text in ["a YQ==,a YQ==", "a !", "a b c"] { #expect(UploadHeaders.metadata(text) == nil, "\(text)") }
    #expect(UploadHeaders.boolean("?1") == true)
    #expect(UploadHeaders.boolean("?0;x=1") == false)
    #expect(UploadHeaders.boolean("true") == nil)
    #expect(UploadHeaders.digest("md5=:AA==:, sha-256=:YWI=:", "sha-256") == Array("ab".utf8))
    #expect(UploadHeaders.digest("sha-256=YWI=", "sha-256") == nil)
    #expect(UploadHeaders.filename("inline; filename=\"a.txt\"; filename*=UTF-8''%e6%97%a5.txt") == "日.txt")
    #expect(UploadHeaders.filename("inline") == nil)
    #expect(ByteRange("bytes=0-", size: 5) == .part(0...4))
    #expect(ByteRange("bytes=-2", size: 5) == .part(3...4))
    #expect(ByteRange("bytes=5-", size: 5) == ByteRange.none)
    #expect(ByteRange("bytes=1-0", size: 5) == nil)
    #expect(ByteRange("bytes=0-1,3-4", size: 5) == nil)
  }

  @Test("header texts of any kind are read without harm")
  func fuzz() {
    var random = SeededRandom(seed: 11)
    let letters = Array("bytes=-0123456789,; ?1:sha-256=%Eeé\"'*UTF filename")
    for _ in 0..<SeededRandom.rounds(or: 2000) {
      let text = String(
        (0..<Int.random(in: 0..<40, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
      _ = UploadHeaders.metadata(text)
      _ = UploadHeaders.digest(text, "sha-256")
      _ = UploadHeaders.filename(text)
      _ = UploadHeaders.boolean(text)
      _ = ByteRange(text, size: 100)
      _ = try? ExpectedChecksum(tus: text)
    }
  }
}
