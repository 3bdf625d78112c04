import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Periods of quotas") struct QuotaPeriodTests {
  private static func bounds(_ period: QuotaPeriod, _ moment: Double) -> [Int64] {
    let bounds = period.bounds(at: moment)
    return [bounds.start, bounds.end]
  }

  @Test("are minutes and hours of the clock, and months of the calendar")
  func bounds() {
    // 2024-02-29T23:59:30Z
    let moment = 1_709_251_170.0
    #expect(Self.bounds(.minute, moment) == [1_709_251_140, 1_709_251_200])
    #expect(Self.bounds(.hour, moment) == [1_709_247_600, 1_709_251_200])
    #expect(Self.bounds(.month, moment) == [1_706_745_600, 1_709_251_200])
    // 2025-12-31T12:00:00Z
    #expect(QuotaPeriod.month.bounds(at: 1_767_182_400).end == 1_767_225_600)
  }
}

@Suite("Quotas at the server") struct QuotaTests {
  private static func event(_ number: Int) -> String {
    #"{"event_id":"\#(UUID().uuidString)","platform":"python","message":"m\#(number)"}"#
  }

  private static func setQuota(_ limits: String, _ server: TestServer, of token: String = "") async throws {
    let path = ConsolePaths.quotas + (token.isEmpty ? "" : "/tokens/\(token)")
    let answer = try await server.send("PUT", path, body: Array(limits.utf8))
    #expect(answer.status == 200, "\(answer.text)")
  }

  @Test("refuse what is beyond with a word and a time, until the period ends")
  func events() async throws {
    // 50 seconds before the end of a minute.
    let time = Time(1_790_000_050)
    #expect(QuotaPeriod.minute.bounds(at: time.now).end == 1_790_000_100)
    let server = try await TestServer(time: time)
    try await Self.setQuota(#"{"minute":{"events":2}}"#, server)
    for number in 0..<2 { #expect(try await server.envelope(Self.event(number)).status == 200) }
    let refused = try await server.envelope(Self.event(2))
    #expect(refused.status == 429)
    #expect(refused.json["code"] as? String == "server-quota")
    #expect(refused.headers["retry-after"] == "50")
    #expect(refused.headers["x-sentry-rate-limits"] == "50:default;error;attachment;feedback:key")
    let records = #"{"id":"b","app":"a","device":"d","type":"t","lines":["x"]}"#
    let key = ["Authorization": "Bearer \(server.run.ready.appKey)"]
    #expect(try await server.send("POST", "/api/v1/records", key, body: Array(records.utf8)).status == 429)
    #expect(try await server.send("POST", "/api/v1/crashes", key, body: Array(Self.event(3).utf8)).status == 429)
    #expect(try await server.put([1, 2], metadata: ["app": server.run.ready.appKey], expecting: 429))
    time.now += 50
    #expect(try await server.envelope(Self.event(4)).status == 200)
    let crashes = try await server.list("/api/v1/crashes", "crashes")
    #expect(crashes.count == 3)
    #expect(server.services.counts["refused.server-quota"] == 4)
    await server.end()
  }

  @Test("let sessions count that come with a refused event, and alone")
  func sessions() async throws {
    let server = try await TestServer()
    try await Self.setQuota(#"{"month":{"events":0}}"#, server)
    func session(_ number: Int) -> String {
      let started = Date().ISO8601Format()
      let session = """
        {"sid":"00000000-0000-4000-8000-00000000000\(number)","did":"d\(number)","status":"crashed",\
        "started":"\(started)","attrs":{"release":"shop@1.0"}}
        """
      return "{\"type\":\"session\",\"length\":\(session.utf8.count)}\n\(session)\n"
    }
    #expect(try await server.envelope(Self.event(1), more: session(1)).status == 429)
    let key = ["Authorization": "", "X-Sentry-Auth": "Sentry sentry_version=7, sentry_key=\(server.run.ready.appKey)"]
    let alone = try await server.send("POST", "/api/1/envelope/", key, body: Array(("{}\n" + session(2)).utf8))
    #expect(alone.status == 200)
    let health = try await server.send("GET", "/api/v1/release-health")
    let releases = health.json["releases"] as? [[String: Any]]
    #expect(releases?.first?["sessions"] as? Int == 2 && releases?.first?["crashed"] as? Int == 2)
    #expect(try await server.list("/api/v1/crashes", "crashes").isEmpty)
    await server.end()
  }

  @Test("count bytes, and what was used stays over a restart")
  func bytes() async throws {
    let time = Time(1_790_000_000)
    let server = try await TestServer(time: time)
    try await Self.setQuota(#"{"hour":{"bytes":600}}"#, server)
    #expect(try await server.envelope(Self.event(1)).status == 200)
    let used = try await server.send("GET", ConsolePaths.quotas).json["used"] as? [String: [String: Int]]
    let bytes = try #require(used?["hour"]?["bytes"])
    #expect(bytes > 100 && bytes < 400 && used?["month"]?["events"] == 1)
    await server.end()
    let again = try await TestServer(in: server.folder, time: time)
    let large = #"{"platform":"python","message":"\#(String(repeating: "x", count: 600 - bytes))"}"#
    #expect(try await again.envelope(large).status == 429)
    time.now += 3600
    #expect(try await again.envelope(Self.event(2)).status == 200)
    await again.end()
  }

  @Test("are of a token, too, beside that of its app; other tokens go on")
  func tokens() async throws {
    let server = try await TestServer()
    let app = server.run.ready.appKey
    let one = try await server.services.access.issue("one", [.ingest], app: app, lifetime: 1e6)
    let other = try await server.services.access.issue("other", [.ingest], app: app, lifetime: 1e6)
    try await Self.setQuota(#"{"minute":{"events":1},"hour":{"events":1}}"#, server, of: one.grant.id)
    func send(_ token: String) async throws -> Int {
      let headers = ["Authorization": "Bearer \(token)"]
      return try await server.send("POST", "/api/1/store/", headers, body: Array(Self.event(1).utf8)).status
    }
    #expect(try await send(one.token) == 200)
    #expect(try await send(one.token) == 429)
    #expect(try await send(other.token) == 200)
    let entries = try await server.services.store.read { try AuditTrail.entries(after: 0, limit: 100, in: $0) }
    #expect(entries.contains { $0.action == "quota.changed" && $0.object == "token \(one.grant.id)" })
    await server.end()
  }

  @Test("are changed by who administers the app, to numbers that can be")
  func permission() async throws {
    let server = try await TestServer()
    let reader = try await server.services.access.issue("r", [.read], lifetime: 1e6).token
    let headers = ["Authorization": "Bearer \(reader)"]
    #expect(try await server.send("GET", ConsolePaths.quotas, headers).status == 200)
    #expect(try await server.send("PUT", ConsolePaths.quotas, headers, body: Array("{}".utf8)).status == 403)
    let bad = try await server.send("PUT", ConsolePaths.quotas, body: Array(#"{"hour":{"events":-1}}"#.utf8))
    #expect(bad.status == 400 && bad.text.contains("hour"))
    await server.end()
  }
}

extension TestServer {
  /// Tells whether making an upload is answered so.
  fileprivate func put(_ bytes: [UInt8], metadata: [String: String], expecting status: Int) async throws -> Bool {
    let words = metadata.map { "\($0.key) \(Data($0.value.utf8).base64EncodedString())" }
    let made = try await send(
      "POST", "/uploads",
      ["Tus-Resumable": "1.0.0", "Upload-Length": "\(bytes.count)", "Upload-Metadata": words.joined(separator: ",")])
    return made.status == status
  }
}

@Suite("The budget of the disk") struct DiskBudgetTests {
  @Test("has the oldest go, of each kind; issues stay with their numbers, and what is left is read", .inFile)
  func evicts() async throws {
    let time = Time(1_790_000_000)
    let server = try await TestServer(time: time, isTidied: false) { $0.limits.disk = 3 << 20 }
    let services = server.services
    let budget = DiskBudget(services)
    var random = SystemRandomNumberGenerator()
    func noise(_ count: Int) -> String {
      (0..<count).map { _ in String(UInt8.random(in: 0...255, using: &random), radix: 16) }.joined()
    }
    let key = ["Authorization": "Bearer \(server.run.ready.appKey)"]
    for number in 0..<40 {
      time.now += 60
      let event = #"{"platform":"python","message":"m","release":"r\#(number)","extra":{"n":"\#(noise(40_000))"}}"#
      #expect(try await server.envelope(event).status == 200)
      let records = #"{"id":"b\#(number)","app":"a","device":"d","type":"t","lines":["\#(noise(40_000))"]}"#
      #expect(try await server.send("POST", "/api/v1/records", key, body: Array(records.utf8)).status == 201)
      #expect(try await server.put(Array(noise(20_000).utf8), metadata: ["kind": "log"]) == 204)
    }
    let before = try await budget.used()
    #expect(before > 3 << 20)
    time.now += 60
    // A turn has an end; on a slow machine another one goes on from there.
    var after = before
    for _ in 0..<20 where after > 3 << 20 {
      await budget.keep()
      after = try await budget.used()
    }
    #expect(after <= 3 << 20, "\(before) \(after)")
    let counts = services.counts
    let crashes = try await server.list("/api/v1/crashes?limit=100", "crashes")
    #expect(Int64(crashes.count) == 40 - counts["evicted.crash"])
    #expect(counts["evicted.crash"] > 0 && counts["evicted.records"] > 0 && counts["evicted.upload"] > 0)
    // Those that are left are the newest.
    #expect(crashes.allSatisfy { ($0["received"] as? Double ?? 0) > 1_790_000_000 + 60 * 5 })
    for crash in crashes {
      #expect(try await server.send("GET", "/api/v1/crashes/\(crash["id"] as? Int ?? 0)/report").status == 200)
    }
    let issue = try #require(try await server.issues().first)
    #expect(issue["count"] as? Int == 40)
    #expect(try await server.send("GET", "/issues/\(issue["id"] as? String ?? "")").status == 200)
    await server.end()
  }

  @Test("is none unless it was given")
  func none() async throws {
    let server = try await TestServer(isTidied: false)
    #expect(try await server.envelope(#"{"platform":"python","message":"m"}"#).status == 200)
    await DiskBudget(server.services).keep()
    #expect(try await server.list("/api/v1/crashes", "crashes").count == 1)
    await server.end()
  }
}

@Suite("Days that things are kept") struct RetentionTests {
  @Test("end what came before them, of each kind, and leave issues with their numbers and what came since")
  func ends() async throws {
    let begin = 1_790_000_000.0
    let time = Time(begin)
    let server = try await TestServer(time: time, isTidied: false) { $0.limits.days = 7 }
    let retention = Retention(server.services)
    let key = ["Authorization": "Bearer \(server.run.ready.appKey)"]
    // Alike, so that they are packed against each other; a day apart, at half past.
    for day in 0..<12 {
      time.now = begin + Double(day) * 86_400 + 43_200
      let event = #"{"platform":"python","message":"m","release":"r\#(day)","extra":{"n":"\#(Array(1000..<1500))"}}"#
      let file = #"{"type":"attachment","length":\#("\(day)".utf8.count),"filename":"a.txt"}"# + "\n\(day)\n"
      #expect(try await server.envelope(event, more: file).status == 200)
      let records = #"{"id":"b\#(day)","app":"a","device":"d","type":"t","lines":["x"]}"#
      #expect(try await server.send("POST", "/api/v1/records", key, body: Array(records.utf8)).status == 201)
      #expect(try await server.put(Array("log \(day)".utf8), metadata: ["kind": "log"]) == 204)
    }
    time.now = begin + 12 * 86_400
    await retention.keep()
    let counts = server.services.counts
    #expect(counts["evicted.crash"] == 5 && counts["evicted.records"] == 5 && counts["evicted.upload"] == 5)
    let crashes = try await server.list("/api/v1/crashes?limit=100", "crashes")
    #expect(crashes.count == 7)
    #expect(crashes.allSatisfy { ($0["received"] as? Double ?? 0) > begin + 5 * 86_400 })
    for crash in crashes {
      #expect(try await server.send("GET", "/api/v1/crashes/\(crash["id"] as? Int ?? 0)/report").status == 200)
    }
    #expect(try await server.issues().first?["count"] as? Int == 12)
    for (table, count) in [("crashes", 7), ("crash_attachments", 7), ("blob_removals", 0)] {
      let rows = try await server.services.store.read { database in
        try database.row("SELECT count(*) FROM \(table)") { $0.integer(0) }
      }
      #expect(rows == Int64(count), "\(table)")
    }
    await retention.keep()
    #expect(try await server.list("/api/v1/crashes?limit=100", "crashes").count == 7)
    await server.end()
  }

  @Test("are none unless they were given")
  func none() async throws {
    let time = Time(1_790_000_000)
    let server = try await TestServer(time: time, isTidied: false)
    #expect(try await server.envelope(#"{"platform":"python","message":"m"}"#).status == 200)
    time.now += 1e9
    await Retention(server.services).keep()
    let rows = try await server.services.store.read { try $0.row("SELECT count(*) FROM crashes") { $0.integer(0) } }
    #expect(rows == 1)
    await server.end()
  }
}
