import Foundation
import MPaaSAppPackageTestSupport
import MPaaSAppServices
import MPaaSDatabase
import MPaaSModules
import MPaaSModulesTestSupport
import MPaaSProtocol
import MPaaSSupport
import Testing

@testable import MPaaSServer

/// A server with two apps, of which the other one has something of everything.
private struct TwoApps {
  let server: TestServer
  let registry: SignedModules
  /// The key of the other app, which is a part of all of its rows.
  static let other = "zebraapp"
  /// A word in whatever came for the other app.
  static let word = "zebraword"
  /// A token that may do everything with the first app.
  let token: String
  /// Values for the parameters of paths: things of the other app.
  private(set) var values: [String: String] = [:]

  init() async throws {
    // Apps are learned at the start.
    let first = try await TestServer(isTidied: false)
    try await first.services.store.write {
      try $0.run("INSERT INTO apps VALUES (?, 'zebra', 1e10)", [.text(Self.other)])
    }
    await first.end()
    registry = try SignedModules.shop()
    let modules = try registry.offer(in: first.folder)
    server = try await TestServer(in: first.folder, isTidied: false) { $0.modules = modules }
    let services = server.services
    try await services.access.begin()
    let scopes: Set<MPaaSServer.Scope> = [.admin, .ingest, .read, .collect, .flags, .operate]
    token = try await services.access.issue("a", scopes, app: server.run.ready.appKey, lifetime: 1e6).token
    try await sendReports()
    try await sendEnd()
    try await sendServices()
    try await chooseModules()
    try await sendFlags()
    try await findNames()
  }

  private var key: [String: String] { ["Authorization": "Bearer \(Self.other)"] }

  private func post(_ path: String, _ body: String, _ headers: [String: String]? = nil) async throws -> TestAnswer {
    let answer = try await server.send("POST", path, headers ?? [:], body: Array(body.utf8))
    #expect((200...299).contains(answer.status), "\(path): \(answer.text)")
    return answer
  }

  private func sendReports() async throws {
    let event = """
      {"platform":"python","release":"\(Self.word)@1.0","user":{"id":"\(Self.word)"},"exception":{"values":[{"type":\
      "\(Self.word)","value":"x","stacktrace":{"frames":[{"function":"\(Self.word)","filename":"b.py","lineno":7}]}}]}}
      """
    let answer = try await server.envelope(
      event, id: "0123456789abcdef0123456789abcdef",
      more: "{\"type\":\"attachment\",\"length\":5,\"filename\":\"\(Self.word).txt\"}\nhello\n", key: Self.other)
    #expect(answer.status == 200)
    let started = Date().ISO8601Format()
    let session = """
      {"sid":"00000000-0000-4000-8000-000000000001","did":"\(Self.word)","status":"crashed","started":"\(started)",\
      "attrs":{"release":"\(Self.word)@1.0","environment":"\(Self.word)","patches":["\(Self.word)@1"]}}
      """
    let envelope = "{}\n{\"type\":\"session\",\"length\":\(session.utf8.count)}\n\(session)\n"
    _ = try await post(
      "/api/1/envelope/", envelope,
      ["Authorization": "", "X-Sentry-Auth": "Sentry sentry_version=7, sentry_key=\(Self.other)"])
    _ = try await post(
      "/api/v1/records",
      #"{"id":"b","app":"\#(Self.other)","device":"d","type":"behavior","lines":["\#(Self.word)"]}"#, key)
    let alive = AliveReport(id: "alive-1", app: Self.other, version: Self.word, device: Self.word, time: 1)
    _ = try await post("/api/v1/alive", String(decoding: try JSONEncoder().encode(alive), as: UTF8.self), key)
  }

  private func sendEnd() async throws {
    let end = TerminationReport(id: "end-1", app: Self.other, version: Self.word, reason: "hang", time: 1)
    _ = try await post(ServerPaths.terminations, String(decoding: try JSONEncoder().encode(end), as: UTF8.self), key)
  }

  private func sendServices() async throws {
    let feedback = """
      {"id":"feedback-1","secret":"0123456789abcdef0123456789abcdef","category":"problem","text":"\(Self.word)",\
      "device":"d1","version":"1.2","facts":{},"pictures":[],"created":1}
      """
    _ = try await post("/api/v1/feedback", feedback, key)
    _ = try await post("/api/v1/tasks", #"{"app":"zebra","user":"\#(Self.word)","from":0,"to":10}"#)
    let installation = PushInstallation(
      installation: "zebraphone", token: "0b0b", user: Self.word, topic: "com.example.\(Self.word)",
      registered: 1_000)
    _ = try await post(
      ServerPaths.pushInstallations, String(decoding: try JSONEncoder().encode(installation), as: UTF8.self), key)
    let badges = BadgePush(targets: [.user(Self.word)], badges: [BadgeItem("tab,\(Self.word)", temporary: 1)])
    let pusher = try await server.services.access.issue("b", [.operate], app: Self.other, lifetime: 1e6).token
    _ = try await post(
      ServerPaths.badgeTargets, String(decoding: try JSONEncoder().encode(badges), as: UTF8.self),
      ["Authorization": "Bearer \(pusher)"])
    _ = try await post(
      ConsolePaths.alerts,
      """
      {"app":"zebra","name":"\(Self.word)","when":{"new":{}},"to":[{"webhook":"https://a.example.com/\(Self.word)"}]}
      """)
    let rollout = RolloutNote.Rollout(
      patch: Self.word, version: "1", channel: "release", state: "running", stage: "official", basisPoints: 100,
      reason: Self.word)
    let note = String(decoding: try JSONEncoder().encode(RolloutNote(version: 1, rollouts: [rollout])), as: UTF8.self)
    #expect(
      try await server.send("PUT", "\(ConsolePaths.rollouts)/\(Self.word)", [:], body: Array(note.utf8)).status == 200)
    _ = try await post(
      ConsolePaths.rolloutRequests,
      """
      {"identity":"\(Self.word)","patch":"\(Self.word)","version":"1","channel":"release","action":"halt"}
      """)
    let metadata = ["filename": Self.word, "kind": "file", "app": Self.other]
    #expect(try await server.put([1, 2, 3, 4], metadata: metadata) == 204)
    let file = SampleBuild.ipa(name: Self.word, identifier: Self.word)
    let build = try await server.build(file, query: "?app=zebra")
    _ = try await server.linkBuild(build)
  }

  private func chooseModules() async throws {
    let manifest = "[project]\n\n[modules]\n\(Self.word) = \"*\"\n"
    let lock = ProjectLock(modules: [
      LockedModule(
        name: Self.word, version: ModuleVersion(numbers: [1, 0, 0]), registry: "main",
        sha256: String(repeating: "a", count: 64), size: 1)
    ])
    try await server.services.store.write {
      try $0.run(
        """
        INSERT INTO module_choices (app, manifest, locked, version, author, changed) VALUES (?, ?, ?, 1, 'x', 1e9)
        """, [.text(Self.other), .text(manifest), .text(lock.text)])
    }
  }

  private func sendFlags() async throws {
    let events = #"[{"type":"feature-updated","feature":{"name":"\#(Self.word)","enabled":true}}]"#
    let answer = try await server.changeFlags(events, Self.word, query: "?app=zebra")
    #expect(answer.status < 300, "\(answer.text)")
  }

  /// Looks for the names that the paths of the other app's things have.
  private mutating func findNames() async throws {
    values = try await server.services.store.read { database in
      func text(_ sql: String) throws -> String {
        try database.row(sql, [.text(Self.other)]) { $0.text(0) } ?? "none"
      }
      return [
        "issue": try text("SELECT CAST(id AS TEXT) FROM crash_groups WHERE app = ?"),
        "group": try text("SELECT name FROM crash_groups WHERE app = ?"),
        "crash": try text("SELECT CAST(id AS TEXT) FROM crashes WHERE app = ?"),
        "task": try text("SELECT id FROM tasks WHERE app = ?"),
        "feedback": try text("SELECT CAST(number AS TEXT) FROM feedback WHERE app = ?"),
        "upload": try text("SELECT id FROM uploads WHERE app = ?"),
        "alert": try text("SELECT id FROM alert_rules WHERE app = ?"),
        "build": try text("SELECT id FROM builds WHERE app = ?"),
        "token": try text("SELECT id FROM tokens WHERE app = ?"),
        "request": try text("SELECT id FROM rollout_requests WHERE app = ?"),
        "user": Self.word,
      ]
    }
    #expect(!values.values.contains("none"), "\(values)")
  }

  /// The rows of the other app in all tables.
  func rows() async throws -> [String] {
    try await server.services.store.read { database in
      let tables = try database.tables(withColumn: "app")
      #expect(tables.count > 20)
      return try tables.flatMap { table in
        let found = try database.rows("SELECT * FROM \(table) WHERE app = ?", [.text(Self.other)]) { row in
          "\(table): " + (0..<row.count).map { "\(row[$0])" }.joined(separator: ",")
        }
        return found.sorted()
      }
    }
  }
}

@Suite("One app and another") struct RouteIsolationTests {
  /// The thing that the parameter of a path names, by the beginning of the path; a new route with a parameter has to be
  /// added here.
  private static let subjects: [(path: String, subject: String)] = [
    ("/api/v1/issues/", "issue"), ("/issues/", "issue"), ("/groups/", "group"), ("/api/v1/crashes/", "crash"),
    ("/crashes/", "crash"), ("/api/v1/tasks/", "task"), ("/tasks/", "task"), ("/api/v1/feedback/", "feedback"),
    ("/feedback/", "feedback"), ("/uploads/", "upload"), ("/api/v1/alerts/", "alert"), ("/alerts/", "alert"),
    ("/api/v1/tokens/", "token"), ("/people/tokens/", "token"), ("/apps/", "app"), ("/api/v1/users/", "user"),
    ("/api/v1/quotas/tokens/", "token"), ("/api/v1/rollouts/", "user"), ("/api/v1/rollout-requests/", "request"),
    ("/api/v1/builds/", "build"), ("/builds/", "build"), ("/api/v1/apps/", "app"),
  ]
  /// Beginnings of paths whose parameters name nothing of one app alone, or nothing that there is a second one of.
  private static let others = [
    "/api/{project}/", "/api/v1/people/", "/api/v1/teams/", "/api/v1/sessions/", "/people/", "/account/",
    "/api/v1/flags/history/", "/flags/history/", "/api/v1/flags/proposals/", "/flags/proposals/",
    "/api/v1/push/campaigns/", "/campaigns/", "/api/v1/push/installations/", "/unleash/api/", "/ofrep/v1/",
    "/install/",
  ]
  /// Bodies by the ends of paths, where an empty object is no change.
  private static let bodies: [(end: String, type: String, body: String)] = [
    ("/state", "form", "state=resolved"), ("/comments", "json", #"{"text":"x"}"#),
    ("/assignee", "form", "assignee=x"), ("/delete", "form", "sure=1"), ("/bulk", "form", "id=ISSUE&action=resolved"),
    ("/issues", "json", #"{"ids":["ISSUE"],"state":"resolved"}"#), ("/feedback/:id", "form", "text=x&state=closed"),
    ("/remove", "form", "sure=1"), ("/link", "form", "days=3"), ("/revoke", "form", "link=x"),
    ("/messages", "json", #"{"id":"answer-1","text":"x","state":"closed"}"#),
    ("/apps/:app/modules", "json", #"{"modules":{}}"#),
    ("/rollouts/:identity", "json", #"{"version":1,"rollouts":[]}"#),
    ("/rollout-requests/:id", "json", #"{"state":"done","outcome":"x"}"#),
  ]

  private static func path(_ entry: RouteList.Entry, _ apps: TwoApps) -> String? {
    guard entry.path.contains(":") || entry.path.contains("{") || entry.path.contains("*") else { return entry.path }
    let subject = subjects.first { entry.path.hasPrefix($0.path) }?.subject
    guard let subject else { return others.contains { entry.path.hasPrefix($0) } ? "" : nil }
    let value = subject == "app" ? TwoApps.other : apps.values[subject] ?? ""
    let parts = entry.path.split(separator: "/").map { part in
      part == ":action" ? "ACTION" : part.hasPrefix(":") ? PercentEncoding.encode(value) : String(part)
    }
    return "/" + parts.joined(separator: "/")
  }

  @Test("whoever has the token of one sees nothing of the other on any route, and changes nothing of it")
  func walk() async throws {
    let apps = try await TwoApps()
    let server = apps.server
    let table = RouteList.table(server.services)
    #expect(table.count > 100)
    let before = try await apps.rows()
    #expect(before.count > 20 && before.contains { $0.contains(TwoApps.word) })
    // Open for long, without an end: their tests ask them by themselves.
    let streams = ["/api/v1/flags/watch", "/unleash/api/client/streaming", "/ofrep/v1/events"]
    for entry in table where !streams.contains(entry.path) && entry.method != "OPTIONS" {
      let path = Self.path(entry, apps)
      #expect(path != nil, "\(entry.method) \(entry.path): say in `subjects` what its parameter names")
      guard let path, !path.isEmpty else { continue }
      let actions =
        path.contains("ACTION")
        ? [
          "state", "assignee", "delete", "remove", "pause", "end", "test", "link", "revoke",
        ] : [""]
      for action in actions {
        let whole = path.replacingOccurrences(of: "ACTION", with: action)
        try await ask(entry.method, whole, entry, apps)
      }
    }
    let after = try await apps.rows()
    #expect(after == before, "\(Set(after).symmetricDifference(before).sorted())")
    await server.end()
  }

  private func ask(_ method: String, _ path: String, _ entry: RouteList.Entry, _ apps: TwoApps) async throws {
    var headers = ["Authorization": "Bearer \(apps.token)"]
    var body: [UInt8]?
    if !["GET", "HEAD"].contains(method) {
      let known = Self.bodies.first { path.hasSuffix($0.end) || entry.path.hasSuffix($0.end) }
      let text = known?.body ?? "{}"
      headers["Content-Type"] = known?.type == "form" ? "application/x-www-form-urlencoded" : "application/json"
      body = Array(text.replacingOccurrences(of: "ISSUE", with: apps.values["issue"] ?? "").utf8)
    }
    for query in ["", "?app=zebra", "?app=\(TwoApps.other)", "?user=\(TwoApps.word)&device=d"] {
      // Uploads that are ended are the first app's own.
      let answer = try await apps.server.send(method, path + query, headers, body: body)
      #expect(answer.status != 500 && answer.status != 0, "\(method) \(path)\(query): \(answer.text.prefix(200))")
      let isSeen = answer.text.contains(TwoApps.word) && !path.contains(TwoApps.word)
      #expect(!isSeen || query.contains(TwoApps.word), "\(method) \(path)\(query): \(answer.text.prefix(300))")
    }
  }
}
