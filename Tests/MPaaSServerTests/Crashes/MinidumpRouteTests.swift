import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// A form as an uploader of minidumps sends it.
private struct Form {
  var parts: [(name: String, filename: String?, content: [UInt8])] = []
  var boundary = "--crash 1"
  static let type = "multipart/form-data; boundary=\"--crash 1\""

  func field(_ name: String, _ text: String) -> Form {
    Form(parts: parts + [(name, nil, Array(text.utf8))], boundary: boundary)
  }

  func file(_ name: String, _ filename: String, _ content: [UInt8]) -> Form {
    Form(parts: parts + [(name, filename, content)], boundary: boundary)
  }

  var body: [UInt8] {
    var body = Array("preamble\r\n".utf8)
    for part in parts {
      let filename = part.filename.map { "; filename=\"\($0)\"" } ?? ""
      body += Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\"\(filename)\r\n".utf8)
      if filename != "" { body += Array("content-type: application/octet-stream\r\n".utf8) }
      body += Array("\r\n".utf8) + part.content + Array("\r\n".utf8)
    }
    return body + Array("--\(boundary)--\r\n".utf8)
  }
}

extension TestServer {
  fileprivate func minidump(_ body: [UInt8], _ type: String = Form.type, _ more: [String: String] = [:]) async throws
    -> TestAnswer
  {
    let headers = ["Authorization": "", "Content-Type": type].merging(more) { $1 }
    return try await send("POST", "/api/1/minidump/?sentry_key=\(run.ready.appKey)", headers, body: body)
  }

  fileprivate func newest() async throws -> [String: Any] {
    try await list("/api/v1/crashes", "crashes").first ?? [:]
  }
}

private func dump(_ name: String = "simple-crashpad") throws -> [UInt8] {
  [UInt8](try Fixture.data("crash/minidump/\(name).dmp"))
}

private let id = "0123456789abcdef0123456789abcdef"

@Suite("Minidumps at the server", .fixtures) struct MinidumpRouteTests {
  @Test("are taken from a form, with what its fields tell, and answered with the event's name as text")
  func form() async throws {
    let server = try await TestServer()
    let form = Form().field("sentry[release]", "shop@3.1").field("sentry[user][id]", "u7")
      .field("sentry[event_id]", id).field("prod", "Electron").field("sentry", #"{"environment":"beta"}"#)
      .file("upload_file_minidump", "a.dmp", try dump()).file("log", "日志.txt", Array("hello".utf8))
    let answer = try await server.minidump(form.body)
    #expect(answer.status == 200)
    #expect(answer.text == "01234567-89ab-cdef-0123-456789abcdef")
    #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
    let crash = try await server.newest()
    #expect(crash["event"] as? String == id)
    #expect(crash["format"] as? String == "minidump")
    #expect(["version", "user", "environment"].map { crash[$0] as? String } == ["shop@3.1", "u7", "beta"])
    #expect(try await server.send("GET", "/api/v1/crashes/1/report").body == dump())
    let kept = try await server.services.store.read { try CrashStore.attachments(of: 1, in: $0) }
    #expect(kept.map(\.filename) == ["event.json", "日志.txt"])
    let told = try #require(try await server.services.blobs.bytes(of: kept[0].blob))
    let event = try told.withUnsafeBytes { try JSONValue(reading: $0).object }
    #expect(event?["extra"]?.object?["prod"]?.string == "Electron")
    #expect(try await server.services.blobs.bytes(of: kept[1].blob) == Array("hello".utf8))
    // Sent again it is known.
    #expect(try await server.minidump(form.body).text == answer.text)
    #expect(server.services.counts["duplicate.crash"] == 1)
    await server.end()
  }

  @Test("are taken as they are, compressed, and from a form within a form; without a name they have one by their bytes")
  func bare() async throws {
    let server = try await TestServer()
    let first = try await server.minidump(try dump(), "application/octet-stream")
    #expect(first.status == 200)
    #expect(first.text.count == 36)
    #expect(try await server.minidump(try dump(), "application/x-dmp").text == first.text)
    let inner = Form(boundary: "inner").file("upload_file_minidump", "b.dmp", try dump("linux-mini"))
    let nested = try await server.minidump(
      Form().file("upload_file_minidump", "a.dmp", inner.body.dropFirst(10) + []).body)
    #expect(nested.status == 200)
    #expect(nested.text != first.text)
    let folder = try TemporaryFolder()
    try Data(try dump("test")).write(to: URL(filePath: folder.path + "/a.dmp"))
    _ = try Command.run("gzip", [folder.path + "/a.dmp"])
    let packed = [UInt8](try Data(contentsOf: URL(filePath: folder.path + "/a.dmp.gz")))
    #expect(try await server.minidump(packed, "application/octet-stream").status == 200)
    #expect(try await server.minidump(packed, "application/octet-stream", ["Content-Encoding": "gzip"]).status == 200)
    #expect(server.services.counts["accepted.crash"] == 3)
    #expect(server.services.counts["duplicate.crash"] == 2)
    await server.end()
  }

  @Test("come with an event in pieces, and with the native SDK's event in MessagePack")
  func events() async throws {
    let server = try await TestServer()
    let json = #"{"release":"one@1","event_id":"\#(id)","tags":{"a":"b"}}"#
    let pieces = Form().file("upload_file_minidump", "a.dmp", try dump())
      .field("sentry__2", String(json.dropFirst(20))).field("sentry__1", String(json.prefix(20)))
    #expect(try await server.minidump(pieces.body).text.filter { $0 != "-" } == id)
    #expect(try await server.newest()["version"] as? String == "one@1")
    // {"release": "two@2", "level": "fatal", "n": [-1, 200, 1.5, null, true]}
    var packed: [UInt8] = [0x83, 0xa7] + Array("release".utf8) + [0xd9, 5] + Array("two@2".utf8)
    packed += [0xa5] + Array("level".utf8) + [0xa5] + Array("fatal".utf8)
    packed += [0xa1, 0x6e, 0xdc, 0, 5, 0xff, 0xcc, 200, 0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0, 0xc0, 0xc3]
    let native = Form().file("upload_file_minidump", "a.dmp", try dump("linux-mini"))
      .file("__sentry-event", "__sentry-event", packed)
    #expect(try await server.minidump(native.body).status == 200)
    let crash = try await server.newest()
    #expect(crash["version"] as? String == "two@2")
    #expect(crash["level"] as? String == "fatal")
    await server.end()
  }

  @Test("refuses forms without one, cut ones, other reports, strange keys and what is too large, and stores nothing")
  func refused() async throws {
    let server = try await TestServer { $0.limits.report = 2 << 20 }
    let whole = Form().file("upload_file_minidump", "a.dmp", try dump())
    func code(_ body: [UInt8], _ type: String = Form.type) async throws -> String? {
      try await server.minidump(body, type).json["code"] as? String
    }
    #expect(try await code(Form().field("sentry[release]", "1").body) == "minidump-missing")
    #expect(try await code(Array("nothing".utf8), "application/octet-stream") == "minidump-missing")
    #expect(try await code(whole.body.dropLast(10) + []) == "multipart-cut")
    #expect(try await code(whole.body, "multipart/form-data; boundary=other") == "multipart-malformed")
    let other = Form().file("upload_file_minidump", "a.ips", Array(#"{"bug_type":"309"}"#.utf8))
    #expect(try await code(other.body) == "minidump-missing")
    let damaged = Form().file("upload_file_minidump", "a.dmp", Array("MDMP".utf8))
    #expect(try await server.minidump(damaged.body).status == 400)
    #expect(
      try await code(whole.field("sentry", String(repeating: "x", count: 1 + 1 << 20)).body) == "server-too-large")
    #expect(try await code([UInt8](repeating: 0, count: 3 << 20)) == "server-too-large")
    let stranger = try await server.send(
      "POST", "/api/1/minidump/?sentry_key=x", ["Authorization": ""], body: whole.body)
    #expect(stranger.status == 403)
    #expect(try await server.list("/api/v1/crashes", "crashes").isEmpty)
    await server.end()
  }

  @Test("damaged forms and packs never crash the reader")
  func fuzz() throws {
    var random = SeededRandom(seed: 7)
    let form = Form().field("sentry[a][b]", "c").file("upload_file_minidump", "a", Array("MDMP\r\n----crash".utf8))
      .file("__sentry-event", "e", [0x81, 0xa1, 0x61, 0x93, 0xc0, 0xca, 0, 0, 0, 0, 0xd6, 1, 2, 3, 4, 5])
    for _ in 0..<SeededRandom.rounds(or: 3000) {
      var bytes = form.body
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
        default: bytes.insert(contentsOf: bytes[place...].prefix(9), at: place)
        }
        if bytes.isEmpty { break }
      }
      _ = bytes.withUnsafeBytes { try? MinidumpForm($0, contentType: Form.type, .init()) }
      _ = bytes.suffix(60).withUnsafeBytes { MessagePack.value($0) }
    }
  }
}
