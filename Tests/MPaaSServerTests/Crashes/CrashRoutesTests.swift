import Foundation
import MPaaSCrash
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

extension TestServer {
  /// Sends an envelope with one event, as Sentry's SDKs do.
  func envelope(
    _ event: String, id: String? = nil, more: String = "", key: String? = nil, headers: [String: String] = [:]
  ) async throws -> TestAnswer {
    let header = id.map { "{\"event_id\":\"\($0)\"}" } ?? "{}"
    let text = "\(header)\n{\"type\":\"event\",\"length\":\(event.utf8.count)}\n\(event)\n\(more)"
    let all = ["Authorization": "", "X-Sentry-Auth": "Sentry sentry_version=7, sentry_key=\(key ?? run.ready.appKey)"]
    return try await send("POST", "/api/1/envelope/", all.merging(headers) { $1 }, body: Array(text.utf8))
  }

  /// Uploads a file by tus in one piece, or in two; says how the last piece was answered.
  func put(_ bytes: [UInt8], metadata: [String: String], between: () async throws -> Void = {}) async throws -> Int {
    let words = metadata.map { "\($0.key) \(Data($0.value.utf8).base64EncodedString())" }
    let made = try await send(
      "POST", "/uploads",
      ["Tus-Resumable": "1.0.0", "Upload-Length": "\(bytes.count)", "Upload-Metadata": words.joined(separator: ",")])
    let location = try #require(made.headers["location"].flatMap { URL(string: $0)?.path })
    var status = made.status
    for range in [0..<bytes.count / 2, bytes.count / 2..<bytes.count] {
      if range.lowerBound > 0 { try await between() }
      status = try await send(
        "PATCH", location,
        [
          "Tus-Resumable": "1.0.0", "Upload-Offset": "\(range.lowerBound)",
          "Content-Type": "application/offset+octet-stream",
        ], body: Array(bytes[range])
      ).status
    }
    return status
  }

  func list(_ path: String, _ name: String) async throws -> [[String: Any]] {
    try await send("GET", path).json[name] as? [[String: Any]] ?? []
  }
}

private let event =
  #"{"platform":"python","exception":{"values":[{"type":"KeyError","value":"'x'","stacktrace":{"frames":[{"function":"run","filename":"b.py","lineno":7}]}}]}}"#
private let id = "0123456789abcdef0123456789abcdef"

@Suite("Crashes at the server") struct CrashRoutesTests {
  @Test("an envelope is stored once and grouped; sent again it has the same answer")
  func envelope() async throws {
    let server = try await TestServer()
    for _ in 0..<3 {
      let answer = try await server.envelope(event, id: id)
      #expect(answer.status == 200)
      #expect(answer.json["id"] as? String == id)
    }
    let crashes = try await server.list("/api/v1/crashes", "crashes")
    #expect(crashes.count == 1)
    #expect(crashes.first?["title"] as? String == "KeyError: 'x'")
    let groups = try await server.list("/api/v1/crash-groups", "groups")
    #expect(groups.count == 1)
    #expect(groups.first?["count"] as? Int == 1)
    #expect(server.services.counts["accepted.crash"] == 1)
    #expect(server.services.counts["duplicate.crash"] == 2)
    await server.end()
  }

  @Test("survives a restart, with its groups and its bytes, and later ones are packed against it", .fixtures)
  func restart() async throws {
    let report = String(decoding: try Fixture.data("crash/crashprobe/release-arm64/Swift.json"), as: UTF8.self)
    let folder = try TemporaryFolder()
    let first = try await TestServer(in: folder)
    #expect(try await first.envelope(report, id: id).status == 200)
    await first.end()
    let second = try await TestServer(in: folder)
    let key = try await second.services.access.allApps()[0].key
    #expect(try await second.envelope(report, id: String(id.reversed()), key: key).status == 200)
    let crashes = try await second.list("/api/v1/crashes", "crashes")
    #expect(crashes.count == 2)
    for crash in crashes {
      let number = crash["id"] as? Int ?? 0
      #expect(try await second.send("GET", "/api/v1/crashes/\(number)/report").body == Array(report.utf8))
    }
    // The same report again is next to nothing.
    #expect((crashes[0]["stored"] as? Int ?? .max) < 2000)
    await second.end()
  }

  @Test("keys that no app has, damaged envelopes and reports of no format are refused, counted, and not stored")
  func refused() async throws {
    let server = try await TestServer()
    #expect(try await server.envelope(event, key: "nobody").status == 403)
    #expect(try await server.envelope(String(event.dropLast(5)), id: id).json["code"] as? String == "event-malformed")
    let cut = try await server.send(
      "POST", "/api/1/envelope/", body: Array("{}\n{\"type\":\"event\",\"length\":100}\n{}".utf8))
    #expect(cut.status == 400)
    #expect(cut.json["code"] as? String == "envelope-cut")
    #expect(try await server.send("POST", "/api/v1/crashes", body: Array("nothing".utf8)).status == 400)
    #expect(try await server.send("POST", "/api/v1/crashes", ["Authorization": ""], body: [1]).status == 401)
    #expect(try await server.list("/api/v1/crashes", "crashes").isEmpty)
    for code in ["server-app-key", "event-malformed", "envelope-cut", "crash-report-unknown"] {
      #expect(server.services.counts["refused.\(code)"] == 1, "\(code)")
    }
    await server.end()
  }

  @Test("items without use are counted, attachments are kept, and the old endpoint of events works")
  func items() async throws {
    let server = try await TestServer()
    let more =
      "{\"type\":\"session\"}\n{}\n{\"type\":\"made-up\"}\n{}\n"
      + "{\"type\":\"attachment\",\"length\":5,\"filename\":\"log.txt\"}\nhello\n"
    #expect(try await server.envelope(event, id: id, more: more).status == 200)
    #expect(server.services.counts["refused.session-no-release"] == 1)
    #expect(server.services.counts["left-out.other"] == 1)
    let kept = try await server.services.store.read { try CrashStore.attachments(of: 1, in: $0) }
    #expect(kept.map(\.filename) == ["log.txt"])
    #expect(try await server.services.blobs.bytes(of: kept.first?.blob ?? "") == Array("hello".utf8))
    let old = try await server.send(
      "POST", "/api/7/store/?sentry_key=\(server.run.ready.appKey)", ["Authorization": ""], body: Array(event.utf8))
    #expect(old.status == 200)
    #expect((old.json["id"] as? String)?.count == 32)
    #expect(old.headers["access-control-allow-origin"] == "*")
    await server.end()
  }

  @Test("a minidump in an envelope is the report, and the event is kept beside it", .fixtures)
  func minidump() async throws {
    let folder = try Fixture.path("crash/minidump")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".dmp") }
    let name = try #require(names.sorted().first)
    let dump = [UInt8](try Fixture.data("crash/minidump/\(name)"))
    let server = try await TestServer()
    let head =
      "{\"event_id\":\"\(id)\"}\n{\"type\":\"event\",\"length\":\(event.utf8.count)}\n\(event)\n"
      + "{\"type\":\"attachment\",\"attachment_type\":\"event.minidump\",\"length\":\(dump.count)}\n"
    let answer = try await server.send("POST", "/api/1/envelope/", body: Array(head.utf8) + dump)
    #expect(answer.status == 200)
    let crash = try #require(try await server.list("/api/v1/crashes", "crashes").first)
    #expect(crash["format"] as? String == "minidump")
    #expect(crash["event"] as? String == id)
    #expect(try await server.send("GET", "/api/v1/crashes/1/report").body == dump)
    await server.end()
  }

  @Test("a report is compared with the digest it came with, and the answer names what was stored", .fixtures)
  func digests() async throws {
    let server = try await TestServer()
    let report = Array(try Fixture.data("crash/apple/sym_AppleJson.ips"))
    let sum = Sample.sha256(report)
    let wrong = ["Repr-Digest": "sha-256=:\(Sample.base64(Sample.sha256([1]))):"]
    let refused = try await server.send("POST", "/api/v1/crashes", wrong, body: report)
    #expect(refused.status == 460)
    #expect(refused.json["code"] as? String == "server-digest-mismatch")
    #expect(try await server.list("/api/v1/crashes", "crashes").isEmpty)
    let right = ["Repr-Digest": "sha-256=:\(Sample.base64(sum)):"]
    for status in [201, 200] {
      let stored = try await server.send("POST", "/api/v1/crashes", right, body: report)
      #expect(stored.status == status)
      #expect(stored.json["sha256"] as? String == sum.hexadecimal)
    }
  }

  @Test("an upload that is a crash may be as large as a report, and its file stays while the crash does", .fixtures)
  func uploadedCrash() async throws {
    let server = try await TestServer { $0.limits.decompressed = 1 << 20 }
    let words = Sample.metadata(["kind": "crash"])
    let large = try await server.tus(
      "POST", "/uploads", ["Upload-Length": "\(1 << 21)", "Upload-Metadata": words])
    #expect(large.status == 413)
    let report = Array(try Fixture.data("crash/apple/sym_AppleJson.ips"))
    #expect(try await server.put(report, metadata: ["kind": "crash", "batch": "b"]) == 204)
    let made = try await server.tus(
      "POST", "/uploads",
      ["Upload-Length": "\(report.count)", "Upload-Metadata": Sample.metadata(["kind": "crash", "batch": "b"])])
    #expect(try await server.tus("DELETE", made.headers["location"] ?? "").status == 204)
    #expect(try await server.send("GET", "/api/v1/crashes/1/report").body == report)
  }

  @Test("many at once are each stored, in one group")
  func manyAtOnce() async throws {
    let server = try await TestServer()
    let statuses = try await withThrowingTaskGroup(of: [Int].self) { tasks in
      // Connections of tests block threads, of which there are few.
      for lane in 0..<6 {
        tasks.addTask {
          var statuses: [Int] = []
          for number in lane * 20..<lane * 20 + 20 {
            let name = String(repeating: "0", count: 32 - "\(number)".count) + "\(number)"
            statuses.append(try await server.envelope(event, id: name).status)
          }
          return statuses
        }
      }
      return try await tasks.reduce(into: []) { $0 += $1 }
    }
    #expect(statuses.allSatisfy { $0 == 200 })
    #expect(try await server.list("/api/v1/crash-groups", "groups").first?["count"] as? Int == 120)
    #expect(try await server.list("/api/v1/crashes?limit=1000", "crashes").count == 120)
    await server.end()
  }

  @Test(
    "an upload of kind crash becomes a crash when it is published; one that is no report is not published", .fixtures)
  func upload() async throws {
    let report = [UInt8](try Fixture.data("crash/apple/sym_AppleJson.ips"))
    let server = try await TestServer()
    #expect(try await server.put(report, metadata: ["kind": "crash"]) == 204)
    let crashes = try await server.list("/api/v1/crashes", "crashes")
    #expect(crashes.count == 1)
    #expect(crashes.first?["format"] as? String == "ips")
    #expect(try await server.send("GET", "/api/v1/crashes/1/report").body == report)
    #expect(try await server.put(Array("nothing".utf8), metadata: ["kind": "crash"]) >= 400)
    #expect(try await server.list("/api/v1/crashes", "crashes").count == 1)
    await server.end()
  }
}
