import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSServer

/// 2026-11-23, 12:30:00 UTC.
private let noon = 1_795_437_000.0

private func iso(_ seconds: Double) -> String {
  Date(timeIntervalSince1970: seconds).ISO8601Format(.iso8601(timeZone: .gmt))
}

/// A session's item; a nil value is left out.
private func session(
  _ sid: String? = "00000000-0000-4000-8000-000000000001", _ status: String? = "ok", errors: String? = nil,
  release: String? = "shop@1.0", environment: String? = "production", user: String? = "u1", started: Double = noon
) -> (String, String) {
  let attributes = [("release", release), ("environment", environment)].compactMap { name, value in
    value.map { "\"\(name)\":\"\($0)\"" }
  }
  let members = [
    sid.map { "\"sid\":\"\($0)\"" }, status.map { "\"status\":\"\($0)\"" }, errors.map { "\"errors\":\($0)" },
    user.map { "\"did\":\"\($0)\"" }, "\"started\":\"\(iso(started))\"",
    "\"attrs\":{\(attributes.joined(separator: ","))}",
  ].compactMap { $0 }
  return ("session", "{\(members.joined(separator: ","))}")
}

private func server(at time: Time = Time(noon)) async throws -> TestServer { try await TestServer(time: time) }

@Suite("Release health") struct ReleaseHealthTests {
  @Test("of a session the worst state counts, in whatever order it is told")
  func worst() async throws {
    for order in [["ok", "errors", "crashed", "exited"], ["exited", "crashed", "ok", "errors"]] {
      let server = try await server()
      for (index, status) in order.enumerated() {
        let sid = index == 1 ? "0000000000004000800000000000000A" : "00000000-0000-4000-8000-00000000000a"
        let item = session(sid, status, errors: status == "errors" ? "3" : nil)
        #expect(try await server.sendItems([item]).status == 200)
      }
      let release = try #require(try await server.health()["shop@1.0|production"])
      #expect(release["sessions"] as? Int == 1 && release["crashed"] as? Int == 1 && release["users"] as? Int == 1)
      #expect(release["crashed_users"] as? Int == 1 && release["crash_free_users"] as? Double == 0)
      #expect(release["crash_free_sessions"] as? Double == 0 && release["adoption"] as? Double == 1)
      await server.end()
    }
  }

  @Test("null stands where nothing is known")
  func unknown() async throws {
    let server = try await server()
    _ = try await server.sendItems([session(user: nil, started: noon - 86_400 * 3)])
    let known = try #require(try await server.health("?to=2026-11-22")["shop@1.0|production"])
    #expect(known["users"] as? Int == 0)
    #expect(known["crash_free_users"] is NSNull && known["adoption"] is NSNull)
    #expect(known["crash_free_sessions"] as? Double == 1)
    #expect(try await server.health("?from=2026-11-23").isEmpty)
    let asked = try #require(try await server.health("?from=2026-11-23&release=shop%401.0")["shop@1.0|production"])
    #expect(asked["sessions"] as? Int == 0 && asked["crash_free_sessions"] is NSNull)
    #expect(try await server.health("?release=other").isEmpty)
    await server.end()
  }

  @Test("what cannot be counted is left out with its word, and the rest of its envelope counts")
  func leftOut() async throws {
    let server = try await server()
    let answer = try await server.sendItems([
      session(release: nil), session(release: ""), ("session", "{"), ("session", "[]"),
      ("sessions", "{\"attrs\":{\"release\":\"r\"}}"),
      session(started: noon - 31 * 86_400), session(nil, "crashed"), session(errors: "-1"), session(errors: "1e300"),
      session(errors: "\"x\""),
      ("sessions", #"{"attrs":{"release":"r"},"aggregates":[{"exited":1},7,{"started":5,"exited":1}]}"#),
      session("fine"),
    ])
    #expect(answer.status == 200)
    let health = try await server.health()
    #expect(health.keys.sorted() == ["shop@1.0|production"])
    #expect(health["shop@1.0|production"]?["sessions"] as? Int == 1)
    let counts = server.services.counts.all.filter { $0.key.hasPrefix("refused.") }
    #expect(counts == ["refused.session-no-release": 2, "refused.session-malformed": 8, "refused.session-late": 2])
    await server.end()
  }

  @Test("a clock that is off is corrected by sent_at, and nothing begins in the future")
  func clocks() async throws {
    let server = try await server()
    let ahead = 86_400.0 * 400
    _ = try await server.sendItems(
      [session("a", started: noon + ahead - 7200)], header: #"{"sent_at":"\#(iso(noon + ahead))"}"#)
    _ = try await server.sendItems([session("b", started: 3600)], header: #"{"sent_at":"\#(iso(7200))"}"#)
    // Within five minutes the sender is believed.
    _ = try await server.sendItems(
      [session("c", started: noon - 1800)], header: #"{"sent_at":"\#(iso(noon - 240))"}"#)
    _ = try await server.sendItems([session("d", started: noon + ahead)])
    let points = try await server.services.store.read {
      try HealthStore.series(HealthQuery(app: nil, from: 0, to: Int64(noon) * 2), .minute, in: $0)
    }
    #expect(points.map(\.start) == [-7200, -3600, -1800, 0].map { Int64(noon) + $0 })
    await server.end()
  }

  @Test("counts of sessions beyond any sense overflow nothing")
  func huge() async throws {
    let server = try await server()
    let part = #"{"started":"\#(iso(noon))","exited":1000000000,"crashed":1000000000,"did":"u"}"#
    let item = (
      "sessions",
      #"{"attrs":{"release":"r"},"aggregates":[\#([String](repeating: part, count: 200).joined(separator: ","))]}"#
    )
    for _ in 0..<3 { #expect(try await server.sendItems([item]).status == 200) }
    #expect(try await server.health()["r|"]?["sessions"] as? Int == 1_200_000_000_000)
    await server.end()
  }

  @Test("long names are cut, NUL is shown, and more releases than there may be are refused")
  func names() async throws {
    let server = try await server()
    let long = String(repeating: "x", count: 1_000)
    _ = try await server.sendItems([session(release: "a\\u0000" + long, environment: long)])
    let health = try #require(try await server.health().values.first)
    #expect(
      (health["release"] as? String)?.count == 250 && (health["release"] as? String)?.hasPrefix("a\u{2400}x") == true)
    #expect((health["environment"] as? String)?.count == 64)
    for start in stride(from: 0, to: SessionBatch.mostReleases + 100, by: 500) {
      _ = try await server.sendItems((start..<start + 500).map { session("s\($0)", release: "r\($0)") })
    }
    let count = try await server.services.store.read { try $0.row("SELECT count(*) FROM releases") { $0.integer(0) } }
    #expect(count == Int64(SessionBatch.mostReleases))
    #expect(server.services.counts["refused.session-releases-too-many"] > 0)
    await server.end()
  }

  @Test(
    "parameters that cannot be are 400 with a word",
    arguments: [
      ("from=yesterday", "health-time"), ("to=1e99", "health-time"), ("from=2026-13-01", "health-time"),
      ("from=10&to=10", "health-range"), ("from=20&to=10", "health-range"),
      ("from=2026-01-01&to=2026-02-01&interval=minute", "health-range"), ("interval=week", "health-interval"),
    ])
  func parameters(query: String, word: String) async throws {
    let server = try await server()
    let answer = try await server.send("GET", "/api/v1/release-health?\(query)")
    #expect(answer.status == 400 && answer.json["code"] as? String == word, "\(answer.text)")
    await server.end()
  }

  @Test("times are seconds, days or ISO 8601; an interval adds a series; hours, days and minutes agree")
  func times() async throws {
    let server = try await server()
    for index in 0..<50 {
      _ = try await server.sendItems([session("s\(index)", started: noon - Double(index) * 3_700)])
    }
    for query in [
      "from=2026-11-20&to=2026-11-24", "from=2026-11-20T00:00:00Z&to=1795478400", "interval=hour", "interval=day",
    ] {
      let release = try #require(try await server.health("?\(query)")["shop@1.0|production"])
      #expect(release["sessions"] as? Int == 50)
      guard let interval = query.split(separator: "interval=").last, query.hasPrefix("interval") else { continue }
      let series = try #require(release["series"] as? [[String: Any]])
      #expect(series.reduce(0) { $0 + ($1["sessions"] as? Int ?? 0) } == 50)
      #expect(series.count == (interval == "day" ? 3 : 50))
    }
    // 12:00 to 13:00 of the last day and the hours before.
    let part = try await server.health("?from=\(Int(noon) - 7_000)&to=\(Int(noon))&interval=minute")
    #expect(part["shop@1.0|production"]?["sessions"] as? Int == 1)
    await server.end()
  }

  @Test("a token of one app sees nothing of another, and nobody without a token sees anything")
  func apps() async throws {
    let server = try await server()
    _ = try await server.sendItems([session()])
    let other = try await server.services.access.issue("other", [.read], app: "other", lifetime: 60).token
    let headers = ["Authorization": "Bearer \(other)"]
    #expect(try await server.send("GET", "/api/v1/release-health", headers).text == #"{"releases":[]}"#)
    let key = server.run.ready.appKey
    for path in ["/apps/\(key)/health", "/apps/\(key)/health.csv", "/apps/none/health"] {
      #expect(try await server.send("GET", path, headers).status == 404)
    }
    #expect(try await !server.send("GET", "/releases", headers).text.contains("shop@1.0"))
    #expect(try await server.send("GET", "/api/v1/release-health", ["Authorization": ""]).status == 401)
    #expect(try await server.send("GET", "/releases", ["Authorization": ""]).status == 303)
    await server.end()
  }

  @Test("who sent them is stored as a digest alone, another one for each app's secret")
  func secrets() async throws {
    let server = try await server()
    _ = try await server.sendItems([session(user: "somebody@example.com")])
    let found = try await server.services.store.read { database in
      try database.row("SELECT member FROM sessions") { $0.integer(0) }
    }
    #expect(found != nil)
    let sizes = try await server.services.store.read {
      try $0.rows("SELECT length(secret) FROM health_secrets") { $0.integer(0) }
    }
    #expect(sizes == [32])
    await server.end()
    let files = try FileManager.default.contentsOfDirectory(atPath: server.folder.path + "/data")
    for file in files where file.hasPrefix("mpaas.sqlite") {
      let data = try Data(contentsOf: URL(filePath: server.folder.path + "/data/" + file))
      #expect(data.range(of: Data("somebody@example.com".utf8)) == nil)
    }
  }

  @Test("alive reports are sessions of their version, each once, with devices and users by version and system")
  func alive() async throws {
    let server = try await server()
    for (id, device) in [("a", "d1"), ("b", "d2"), ("a", "d1"), ("c", "d1")] {
      let report = AliveReport(
        id: id, app: "shop", version: "2.0", device: device, user: "u", system: "iOS 18.1", time: noon - 60)
      let answer = try await server.send("POST", "/api/v1/alive", body: Array(try JSONEncoder().encode(report)))
      #expect([200, 201].contains(answer.status))
    }
    let release = try #require(try await server.health()["shop@2.0|"])
    #expect(release["sessions"] as? Int == 3 && release["users"] as? Int == 2)
    let counts = try await server.services.store.read { [key = server.run.ready.appKey] in
      try DeviceDays.counts(app: key, from: Int64(noon) - 86_400, to: Int64(noon), in: $0)
    }
    #expect(
      counts.first { $0.kind == .devicesBySystem }
        == .init(start: 1_795_392_000, kind: .devicesBySystem, name: "iOS 18.1", count: 2))
    #expect(counts.first { $0.kind == .usersByVersion }?.count == 1)
    await server.end()
  }

  @Test("sessions, minutes, hours and days are freed after their time, and the sums of what is kept stay")
  func retention() async throws {
    let time = Time(noon)
    let server = try await TestServer(time: time, isTidied: false)
    for index in 0..<5 { _ = try await server.sendItems([session("s\(index)", index == 0 ? "crashed" : "exited")]) }
    func rows(_ table: String) async throws -> Int64? {
      try await server.services.store.read { try $0.row("SELECT count(*) FROM \(table)") { $0.integer(0) } }
    }
    func tidy() async { for routes in server.run.routes { await routes.tidy() } }
    func kept() async throws -> SessionCounts? {
      let query = HealthQuery(app: nil, from: 1_793_491_200, to: Int64(time.now))
      return try await server.services.store.read { try HealthStore.health(query, at: noon, in: $0).first?.counts }
    }
    time.now += 4 * 86_400
    await tidy()
    #expect(try await (rows("sessions"), rows("release_minutes"), rows("release_hours")) == (5, 0, 1))
    time.now += 28 * 86_400
    await tidy()
    #expect(try await (rows("sessions"), rows("release_hours"), rows("release_members")) == (0, 1, 1))
    #expect(try await kept()?.crashed == 1)
    time.now += 100 * 86_400
    await tidy()
    #expect(try await (rows("release_hours"), rows("release_days")) == (0, 1))
    #expect(try await kept()?.sessions == 5)
    time.now += 300 * 86_400
    await tidy()
    for table in ["release_days", "release_members", "crashed_members", "releases"] {
      #expect(try await rows(table) == 0)
    }
    await server.end()
  }

  @Test("sessions and the secret that their users are known by survive a restart")
  func restart() async throws {
    let first = try await server()
    _ = try await first.sendItems([session("a", "crashed")])
    await first.end()
    let second = try await TestServer(in: first.folder, time: Time(noon))
    _ = try await second.sendItems([session("a", "exited"), session("b", "ok", user: "u1")])
    let release = try #require(try await second.health()["shop@1.0|production"])
    #expect(release["sessions"] as? Int == 2 && release["crashed"] as? Int == 1 && release["users"] as? Int == 1)
    await second.end()
  }

  @Test("a crash is on the pages as soon as it is answered; pages are small, and have a chart, a table and a file")
  func pages() async throws {
    let server = try await server()
    let key = server.run.ready.appKey
    for start in stride(from: 0, to: 3_000, by: 500) {
      _ = try await server.sendItems(
        (start..<start + 500).map { index in
          session("s\(index)", release: "shop@\(index % 70)<script>", started: noon - Double(index) * 2_500)
        })
    }
    func page(_ path: String, _ language: String = "en") async throws -> String {
      let answer = try await server.send("GET", path, ["Accept-Language": language])
      #expect(answer.status == 200 && answer.body.count <= 40_000, "\(path) \(answer.body.count)")
      #expect(!answer.text.contains("<script") && !answer.text.contains("page."))
      return answer.text
    }
    for language in ["en", "zh-CN"] {
      for query in ["", "?days=90&environment=production"] { _ = try await page("/releases\(query)", language) }
      for interval in ["minute", "hour", "day"] {
        _ = try await page("/apps/\(key)/health?interval=\(interval)", language)
      }
    }
    _ = try await server.sendItems([session("new", "crashed", release: "shop@new")])
    #expect(try await page("/releases").contains("shop@new"))
    let health = try await page("/apps/\(key)/health?release=shop%40new", "zh-CN")
    for text in ["<svg", "<title id", "<desc id", "闪退率 100.00 %", "<table>", "health.csv?release=shop%40new"] {
      #expect(health.contains(text), "\(text)")
    }
    let file = try await server.send("GET", "/apps/\(key)/health.csv?release=shop%40new")
    #expect(file.headers["content-type"] == "text/csv; charset=utf-8")
    #expect(
      file.text
        == "start,sessions,healthy,errored,unhandled,abnormal,crashed,crash_rate\r\n2026-11-23T12:00:00Z,1,0,0,0,0,1,1.0\r\n"
    )
    #expect(try await server.send("GET", "/apps/\(key)/health?interval=week").status == 400)
    await server.end()
  }
}
