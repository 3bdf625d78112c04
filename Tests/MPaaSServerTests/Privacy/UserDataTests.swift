import Foundation
import MPaaSAppServices
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

extension TestServer {
  /// Sends something of everything about a user; `word` stands in all that the user's own things tell.
  func sendAll(of user: String, _ word: String, number: Int) async throws {
    try await send(
      error: "KeyError", release: "shop@1.0", user: user, tags: ["cart": word],
      more: ["message": "sent by \(word)", "extra": ["big": String(repeating: "\(number)\(word) ", count: 400)]])
    try await send(error: "Only\(word)", release: "shop@1.0", user: user)
    let started = Date(timeIntervalSince1970: services.now()).ISO8601Format()
    let session = """
      {"sid":"00000000-0000-4000-8000-00000000000\(number)","did":"\(user)","status":"crashed","started":"\(started)",\
      "attrs":{"release":"shop@1.0","patches":["cart@1"]}}
      """
    let envelope = "{}\n{\"type\":\"session\",\"length\":\(session.utf8.count)}\n\(session)\n"
    let key = ["Authorization": "", "X-Sentry-Auth": "Sentry sentry_version=7, sentry_key=\(run.ready.appKey)"]
    try await put("/api/1/envelope/", envelope, key)
    let bearer = ["Authorization": "Bearer \(run.ready.appKey)"]
    let app = run.ready.appKey
    try await put(
      "/api/v1/records",
      #"{"id":"b\#(number)","app":"\#(app)","device":"d\#(number)","user":"\#(user)","type":"t","lines":["\#(word)"]}"#,
      bearer)
    var alive = AliveReport(id: "a\(number)", app: "shop", version: "1.0", device: "d\(number)", time: services.now())
    alive.user = user
    try await put("/api/v1/alive", String(decoding: try JSONEncoder().encode(alive), as: UTF8.self), bearer)
    try await put(
      "/api/v1/feedback",
      """
      {"id":"feedback-\(number)","secret":"0123456789abcdef0123456789abcde\(number)","category":"problem",\
      "text":"\(word)","user":"\(user)","device":"d","version":"1","facts":{},"pictures":[],"created":1}
      """, bearer)
    try await put("/api/v1/tasks", #"{"app":"\#(app)","user":"\#(user)","from":0,"to":10}"#)
    let installation = PushInstallation(
      installation: "phone\(number)", token: "0b0\(number)", user: user, topic: "com.example", registered: 1_000)
    try await put(
      ServerPaths.pushInstallations, String(decoding: try JSONEncoder().encode(installation), as: UTF8.self), bearer)
    let badges = BadgePush(targets: [.user(user)], badges: [BadgeItem("tab,\(word)", temporary: 1)])
    try await put(ServerPaths.badgeTargets, String(decoding: try JSONEncoder().encode(badges), as: UTF8.self))
    #expect(
      try await put(
        Array("log of \(word)".utf8), metadata: ["kind": "log", "filename": "l.log", "user": user, "app": app]) == 204)
  }

  private func put(_ path: String, _ body: String, _ headers: [String: String] = [:]) async throws {
    let answer = try await send("POST", path, headers, body: Array(body.utf8))
    #expect((200...299).contains(answer.status), "\(path): \(answer.text)")
  }

  fileprivate func userData(_ method: String, _ user: String) async throws -> TestAnswer {
    try await send(method, "\(ConsolePaths.users)/\(PercentEncoding.encode(user))/data")
  }

  /// All values of all tables, and the names of all files of the data folder.
  fileprivate func everything() async throws -> String {
    try await services.store.read { database in
      try database.tables().flatMap { table in
        try database.rows("SELECT * FROM \(table)") { row in
          "\(table): " + (0..<row.count).map { Self.text(row[$0]) }.joined(separator: ",")
        }.sorted()
      }.joined(separator: "\n")
    }
  }

  private static func text(_ value: SQLValue) -> String {
    if case .blob(let bytes) = value { return String(decoding: bytes, as: UTF8.self) }
    if case .text(let text) = value { return text }
    return "\(value)"
  }

  fileprivate var blobCount: Int {
    get throws {
      let files = FileManager.default.enumerator(atPath: try blobFolder.folder)?.allObjects as? [String] ?? []
      return files.count { $0.count == 65 }
    }
  }
}

@Suite("The data of a user") struct UserDataTests {
  private static let user = "ann/七 @example"

  @Test(
    "are removed from every table and every file, with a receipt that names nobody; those of others stay", .inFolder)
  func removal() async throws {
    let time = Time(1_790_000_000)
    let server = try await TestServer(time: time)
    // The first report is the base that the others are packed against.
    try await server.sendAll(of: Self.user, "quagga", number: 1)
    try await server.sendAll(of: "other", "okapi", number: 2)
    #expect(try await server.everything().contains("quagga"))
    #expect(try server.blobCount == 2)
    let answer = try await server.userData("DELETE", Self.user)
    #expect(answer.status == 200, "\(answer.text)")
    let removed = try #require(answer.json["removed"] as? [String: Int])
    #expect(
      removed == [
        "crash": 2, "upload": 1, "session": 2, "issue_user": 1, "day": 8, "feedback": 1, "record_batch": 1,
        "alive_report": 1, "task": 1, "badge": 1, "installation": 1,
      ])
    let left = try await server.everything()
    #expect(!left.contains("quagga") && !left.contains("七"), "\(left)")
    #expect(try server.blobCount == 1)
    let issues = try await server.issues()
    #expect(issues.count == 2)
    let shared = try #require(issues.first { $0["title"] as? String == "KeyError: broken" })
    #expect(shared["count"] as? Int == 1 && shared["users"] as? Int == 1)
    #expect(try await server.issues("cart:okapi").count == 1)
    #expect(try await server.issues("cart:quagga").isEmpty)
    for crash in try await server.list("/api/v1/crashes", "crashes") {
      let report = try await server.send("GET", "/api/v1/crashes/\(crash["id"] as? Int ?? 0)/report")
      #expect(report.status == 200, "\(report.text)")
    }
    await server.end()
  }

  @Test("are removed with a receipt whose digest stands in the audit log, and a second time there is nothing")
  func receipt() async throws {
    let server = try await TestServer()
    try await server.send(error: "KeyError", user: "ann")
    let first = try await server.userData("DELETE", "ann").json
    let second = try await server.userData("DELETE", "ann").json
    #expect(first["removed"] as? [String: Int] == ["crash": 1])
    #expect(second["removed"] as? [String: Int] == [:])
    #expect(first["subject"] as? String == second["subject"] as? String)
    #expect(first["id"] as? String != second["id"] as? String)
    let entries = try await server.services.store.read { try AuditTrail.entries(after: 0, limit: 100, in: $0) }
    let entry = try #require(entries.first { $0.action == "user.erased" && $0.object == first["id"] as? String })
    #expect(entry.detail.contains(first["digest"] as? String ?? "none"))
    #expect(entry.detail.contains("crash=1"))
    #expect(!entries.contains { "\($0)".contains("ann") })
    await server.end()
  }

  @Test("are exported as lines, with contents in pieces and an end that counts them")
  func export() async throws {
    let server = try await TestServer()
    try await server.sendAll(of: Self.user, "quagga", number: 1)
    try await server.sendAll(of: "other", "okapi", number: 2)
    let answer = try await server.userData("GET", Self.user)
    #expect(answer.status == 200)
    // The body comes in chunks.
    #expect(!answer.text.contains("okapi"))
    for kind in [
      "export", "crash", "upload", "content", "session", "feedback", "record_batch", "alive_report", "task", "badge",
      "installation", "end",
    ] {
      #expect(answer.text.contains(#""kind":"\#(kind)""#), "\(kind)")
    }
    #expect(answer.text.contains(Data("log of quagga".utf8).base64EncodedString()))
    #expect(answer.text.contains(#""crash":2"#))
    #expect(!answer.text.contains("secret"))
    await server.end()
  }

  @Test("are not for who may not administer the app")
  func permission() async throws {
    let server = try await TestServer()
    for scope: MPaaSServer.Scope in [.ingest, .read, .operate, .collect, .flags] {
      let token = try await server.services.access.issue("t", [scope], lifetime: 1e6).token
      for method in ["GET", "DELETE"] {
        let headers = ["Authorization": "Bearer \(token)"]
        #expect(try await server.send(method, "\(ConsolePaths.users)/ann/data", headers).status == 403)
      }
    }
    await server.end()
  }

  @Test("take nothing away that others are packed against while reports go on coming")
  func busy() async throws {
    let server = try await TestServer()
    let big = String(repeating: "word ", count: 2000)
    try await server.send(error: "KeyError", user: "ann", more: ["extra": ["big": big]])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask {
          try await server.send(error: "KeyError", user: "u\(number)", more: ["extra": ["big": big + "\(number)"]])
        }
      }
      group.addTask {
        let answer = try await server.userData("DELETE", "ann")
        #expect(answer.status == 200)
      }
      try await group.waitForAll()
    }
    #expect(try await server.userData("DELETE", "ann").status == 200)
    let crashes = try await server.list("/api/v1/crashes", "crashes")
    #expect(crashes.count == 40)
    for crash in crashes {
      let report = try await server.send("GET", "/api/v1/crashes/\(crash["id"] as? Int ?? 0)/report")
      #expect(report.status == 200 && report.text.contains(big), "\(report.text.prefix(200))")
    }
    let bases = try await server.services.store.read { try $0.row("SELECT count(*) FROM crashes") { $0.integer(0) } }
    #expect(bases == 40)
    await server.end()
  }
}

@Suite("Rules of scrubbing at the server") struct ScrubbingRoutesTests {
  private func report(_ server: TestServer) async throws -> String {
    let crashes = try await server.list("/api/v1/crashes", "crashes")
    return try await server.send("GET", "/api/v1/crashes/\(crashes.first?["id"] as? Int ?? 0)/report").text
  }

  @Test("hold before anything is stored, and change with a request of an administrator")
  func change() async throws {
    let server = try await TestServer()
    let more: [String: Any] = ["extra": ["card": "4111111111111111", "password": "hunter2", "plain": "zebra"]]
    try await server.send(error: "KeyError", more: more)
    let first = try await report(server)
    #expect(first.contains("[card]") && first.contains("[filtered]") && first.contains("zebra"))
    #expect(!first.contains("hunter2") && !first.contains("4111111111111111"))
    let rules = #"{"builtin":["card"],"keys":["plain"],"keep":["card"]}"#
    let answer = try await server.send("PUT", ConsolePaths.scrubbing, body: Array(rules.utf8))
    #expect(answer.status == 200, "\(answer.text)")
    try await server.send(error: "KeyError", more: more)
    let second = try await report(server)
    #expect(second.contains("hunter2") && second.contains("4111111111111111") && !second.contains("zebra"))
    await server.end()
    let again = try await TestServer(in: server.folder)
    let kept = try await again.send("GET", ConsolePaths.scrubbing)
    #expect((kept.json["rules"] as? [String: [String]])?["builtin"] == ["card"])
    let bad = try await again.send("PUT", ConsolePaths.scrubbing, body: Array(#"{"builtin":["fax"]}"#.utf8))
    #expect(bad.status == 400 && bad.text.contains("builtin"))
    await again.end()
  }
}
