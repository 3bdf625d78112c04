import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

extension TestServer {
  /// Sends an event of Sentry's with what issues are told by.
  func send(
    error type: String, release: String? = nil, user: String? = nil, tags: [String: String] = [:], app: String? = nil,
    more: [String: Any] = [:]
  ) async throws {
    var event: [String: Any] = [
      "platform": "python", "level": "error", "event_id": UUID().uuidString, "environment": "production", "tags": tags,
      "contexts": ["os": ["name": "iOS", "version": "19.1"], "device": ["model": "iPhone 17 Pro"]],
      "exception": [
        "values": [
          [
            "type": type, "value": "broken", "mechanism": ["type": "generic", "handled": true],
            "stacktrace": [
              "frames": [["function": "pay_\(type)", "module": "Checkout.cart", "filename": "b.py", "lineno": 7]]
            ],
          ] as [String: Any]
        ]
      ],
    ]
    if let release { event["release"] = release }
    if let user { event["user"] = ["id": user] }
    event.merge(more) { $1 }
    let text = String(decoding: try JSONSerialization.data(withJSONObject: event), as: UTF8.self)
    #expect(try await envelope(text, key: app).status == 200)
  }

  func issues(_ query: String = "", sort: String = "", token: String? = nil) async throws -> [[String: Any]] {
    let text = PercentEncoding.encode(query)
    let headers = token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    let answer = try await send("GET", "/api/v1/issues?query=\(text)&sort=\(sort)", headers)
    #expect(answer.status == 200, "\(query): \(answer.text)")
    return answer.json["issues"] as? [[String: Any]] ?? []
  }

  func changeIssue(_ id: String, _ body: String, _ headers: [String: String] = [:]) async throws -> TestAnswer {
    try await send("PATCH", "/api/v1/issues/\(id)", headers, body: Array(body.utf8))
  }
}

private func id(_ issue: [String: Any]?) -> String { issue?["id"] as? String ?? "" }
private func state(_ issue: [String: Any]?) -> String? { issue?["state"] as? String }

@Suite("Issues at the server") struct IssueRoutesTests {
  @Test("count events and users, and know their share, releases and times")
  func figures() async throws {
    let time = Time(1_790_000_000)
    let server = try await TestServer(time: time)
    for user in ["u1", "u2", "u1"] { try await server.send(error: "KeyError", release: "shop@8.1.0+1", user: user) }
    time.now += 100
    try await server.send(error: "KeyError", release: "shop@8.2.0+2", user: "u3")
    try await server.send(error: "Other", release: "shop@8.2.0+2", user: "u4")
    let issues = try await server.issues(sort: "count")
    #expect(issues.count == 2)
    let first = try #require(issues.first)
    #expect(first["title"] as? String == "KeyError: broken")
    #expect(first["count"] as? Int == 4)
    #expect(first["users"] as? Int == 3)
    #expect(first["users_share"] as? Double == 0.75)
    #expect(first["releases"] as? [String] == ["shop@8.2.0+2", "shop@8.1.0+1"])
    #expect(first["first_seen"] as? Double == 1_790_000_000)
    #expect(first["last_seen"] as? Double == 1_790_000_100)
    #expect(state(first) == "unresolved")
    #expect(first["assignee"] is NSNull)
    let users = try await server.services.store.read { try $0.rows("SELECT user FROM issue_users") { $0.integer(0) } }
    #expect(Set(users).count == 4)
    await server.end()
  }

  @Test("are found by every key of the search")
  func search() async throws {
    let server = try await TestServer()
    try await server.send(
      error: "KeyError", release: "shop@8.2.0+412", user: "user-17", tags: ["cart": "full", "store:id": "5"])
    try await server.send(error: "Other", release: "shop@8.1.0+1", user: "user-1")
    for query in [
      "is:unresolved error.type:KeyError", "release:shop@8.2.0+412", "release:shop@8.2.*", "release.version:>=8.2.0",
      "!release:shop@8.1.*", "has:cart", "cart:full", "store\\:id:5", "user.id:user-17", "stack.function:pay_KeyError",
      "stack.module:Checkout* has:cart", "\"keyerror: BROKEN\"", "cart:[full,empty]", "!(error.type:Other)",
      "is:unassigned level:error os.name:iOS device.model:\"iPhone 17 Pro\" error.handled:true has:cart",
      "times_seen:1 users:>=1 firstSeen:-24h lastSeen:>2026-01-01 has:cart", "error.type:KeyError OR error.type:None",
    ] {
      let found = try await server.issues(query)
      #expect(found.map { $0["title"] as? String } == ["KeyError: broken"], "\(query)")
    }
    let chain: [String: Any] = [
      "exception": [
        "values": [
          ["type": "Cause", "value": "c", "stacktrace": ["frames": [["function": "deep", "module": "Inner"]]]]
            as [String: Any],
          ["type": "Outer", "value": "o", "stacktrace": ["frames": [["function": "outer"]]]],
        ]
      ]
    ]
    try await server.send(error: "", more: chain)
    for query in ["stack.function:deep", "stack.module:Inner", "error.type:Cause error.type:Outer"] {
      #expect(try await server.issues(query).map { $0["title"] as? String } == ["Outer: o"], "\(query)")
    }
    for query in ["is:resolved", "level:fatal", "users:>5", "user.id:nobody", "%", "cart:FULL", "firstSeen:+7d"] {
      #expect(try await server.issues(query).isEmpty, "\(query)")
    }
    let wrong = try await server.send("GET", "/api/v1/issues?query=timesSeen%3A%3Eabc")
    #expect(wrong.status == 400)
    #expect(wrong.json["code"] as? String == "search-malformed")
    #expect(wrong.json["position"] as? Int == 11)
    for query in ["sort=size", "limit=0", "limit=x", "cursor=x"] {
      #expect(try await server.send("GET", "/api/v1/issues?\(query)").status == 400, "\(query)")
    }
    await server.end()
  }

  @Test("come in pages, each issue once, in every order")
  func pages() async throws {
    let server = try await TestServer()
    for index in 0..<7 { for _ in 0...(index % 3) { try await server.send(error: "E\(index)", user: "u") } }
    for sort in ["last_seen", "first_seen", "count", "users"] {
      var ids: [String] = []
      var cursor: String? = ""
      while let place = cursor {
        let page = try await server.send("GET", "/api/v1/issues?limit=3&sort=\(sort)&cursor=\(place)").json
        ids += (page["issues"] as? [[String: Any]] ?? []).map(id)
        cursor = page["next"] as? String
      }
      #expect(ids.count == 7, "\(sort)")
      #expect(Set(ids).count == 7, "\(sort)")
    }
    await server.end()
  }

  @Test("resolved in a release are reopened by a newer one, never by an older one or the same")
  func regression() async throws {
    let server = try await TestServer()
    try await server.send(error: "KeyError", release: "shop@8.2.0+412")
    let number = id(try await server.issues().first)
    #expect(try await server.changeIssue(number, #"{"state":"resolved","in_release":"shop@8.2.0+412"}"#).status == 200)
    for release in ["shop@8.1.9+900", "shop@8.2.0+99", "shop@8.2.0+412"] {
      try await server.send(error: "KeyError", release: release)
      #expect(state(try await server.issues().first) == "resolved", "\(release)")
    }
    try await server.send(error: "KeyError")
    #expect(state(try await server.issues().first) == "resolved")
    try await server.send(error: "KeyError", release: "shop@8.10.0+1")
    #expect(state(try await server.issues("is:regressed").first) == "regressed")
    #expect(try await server.issues("is:unresolved").count == 1)
    // In the next one: the newest that is known does not reopen it.
    #expect(try await server.changeIssue(number, #"{"state":"resolved","in_next_release":true}"#).status == 200)
    try await server.send(error: "KeyError", release: "shop@8.10.0+1")
    #expect(state(try await server.issues().first) == "resolved")
    try await server.send(error: "KeyError", release: "shop@8.11.0+1")
    #expect(state(try await server.issues().first) == "regressed")
    // Now: any event does.
    #expect(try await server.changeIssue(number, #"{"state":"resolved"}"#).status == 200)
    try await server.send(error: "KeyError", release: "shop@8.0.0+1")
    #expect(state(try await server.issues().first) == "regressed")
    let detail = try await server.send("GET", "/api/v1/issues/\(number)").json
    #expect((detail["comments"] as? [[String: Any]])?.count == 6)
    await server.end()
  }

  @Test("releases without versions are placed by when they were first seen")
  func firstSeen() async throws {
    let time = Time(1_790_000_000)
    let server = try await TestServer(time: time)
    for release in ["4f2a9c", "b00b1e"] {
      try await server.send(error: "KeyError", release: release)
      time.now += 10
    }
    let number = id(try await server.issues().first)
    #expect(try await server.changeIssue(number, #"{"state":"resolved","in_release":"b00b1e"}"#).status == 200)
    try await server.send(error: "KeyError", release: "4f2a9c")
    #expect(state(try await server.issues().first) == "resolved")
    time.now += 10
    try await server.send(error: "KeyError", release: "a5ceed")
    #expect(state(try await server.issues().first) == "regressed")
    await server.end()
  }

  @Test("ignored until a time, a count, users or events an hour come back then")
  func ignored() async throws {
    let time = Time(1_790_000_000)
    let server = try await TestServer(time: time, isTidied: false)
    try await server.send(error: "KeyError", user: "u0")
    let number = id(try await server.issues().first)
    for (until, events) in [(#"{"count":2}"#, 2), (#"{"users":2}"#, 2), (#"{"per_hour":3}"#, 3)] {
      let answer = try await server.changeIssue(number, #"{"state":"ignored","until":\#(until)}"#)
      #expect(answer.status == 200)
      #expect(answer.json["until"] is [String: Any])
      for event in 1...events {
        #expect(state(try await server.issues().first) == "ignored", "\(until) \(event)")
        try await server.send(error: "KeyError", user: UUID().uuidString)
      }
      #expect(state(try await server.issues().first) == "unresolved", "\(until)")
    }
    #expect(
      try await server.changeIssue(number, #"{"state":"ignored","until":{"time":\#(time.now + 60)}}"#).status == 200)
    for routes in server.run.routes { await routes.tidy() }
    #expect(state(try await server.issues().first) == "ignored")
    time.now += 61
    for routes in server.run.routes { await routes.tidy() }
    #expect(state(try await server.issues().first) == "unresolved")
    #expect(try await server.changeIssue(number, #"{"state":"ignored"}"#).status == 200)
    time.now += 1e6
    try await server.send(error: "KeyError")
    #expect(state(try await server.issues().first) == "ignored")
    await server.end()
  }

  @Test("are assigned, commented, merged and split; figures of merged ones are those of all")
  func merged() async throws {
    let server = try await TestServer()
    for user in ["u1", "u2"] {
      try await server.send(error: "A", release: "shop@1.0", user: user, tags: ["side": "left"])
    }
    for user in ["u2", "u3"] {
      try await server.send(error: "B", release: "shop@2.0", user: user, tags: ["side": "right"])
    }
    let one = id(try await server.issues("error.type:A").first)
    let other = id(try await server.issues("error.type:B").first)
    #expect(try await server.changeIssue(one, #"{"assignee":"me"}"#).json["assignee"] as? String == "start")
    #expect(try await server.issues("assigned:me").count == 1)
    let comment = try await server.send(
      "POST", "/api/v1/issues/\(other)/comments", body: Array(#"{"text":"since the new cart"}"#.utf8))
    #expect(comment.status == 201)
    let merged = try await server.changeIssue(other, #"{"merge_into":"\#(one)"}"#)
    #expect(merged.status == 200)
    #expect(id(merged.json) == one)
    func check(_ count: Int, _ users: Int) async throws {
      let issues = try await server.issues()
      #expect(issues.count == 1)
      #expect(issues.first?["count"] as? Int == count)
      #expect(issues.first?["users"] as? Int == users)
    }
    try await check(4, 3)
    #expect(try await server.issues("side:right side:left").count == 1)
    try await server.send(error: "B", user: "u1")
    try await check(5, 3)
    try await server.send(error: "B", user: "u4")
    try await check(6, 4)
    // The old number leads to it.
    #expect(id(try await server.send("GET", "/api/v1/issues/\(other)").json) == one)
    let split = try await server.changeIssue(one, #"{"split":"\#(other)"}"#)
    #expect(split.status == 200)
    let issues = try await server.issues(sort: "count")
    #expect(issues.map { $0["count"] as? Int } == [4, 2])
    #expect(issues.map { $0["users"] as? Int } == [4, 2])
    #expect(issues.map(id) == [other, one])
    #expect(try await server.changeIssue(one, #"{"merge_into":"\#(one)"}"#).status == 400)
    #expect(try await server.changeIssue(one, #"{"merge_into":"5"}"#).status == 400)
    for body in ["{}", "[]", "x", #"{"state":"gone"}"#, #"{"in_release":"a"}"#, #"{"state":"ignored","until":{}}"#] {
      #expect(try await server.changeIssue(one, body).status == 400, "\(body)")
    }
    await server.end()
  }

  @Test("are changed together, and removed with their events, which then come anew")
  func bulk() async throws {
    let server = try await TestServer()
    for name in ["A", "B", "C"] { try await server.send(error: name, user: "u", tags: ["k": "v"]) }
    let ids = try await server.issues().map(id)
    let body = #"{"ids":["\#(ids[0])","\#(ids[1])","77"],"state":"resolved"}"#
    let answer = try await server.send("PATCH", "/api/v1/issues", body: Array(body.utf8))
    #expect(answer.json["changed"] as? [String] == [ids[0], ids[1]])
    #expect(answer.json["missing"] as? [String] == ["77"])
    #expect(try await server.issues("is:resolved").count == 2)
    #expect(try await server.send("DELETE", "/api/v1/issues/\(ids[0])").status == 204)
    #expect(try await server.send("DELETE", "/api/v1/issues/\(ids[0])").status == 404)
    #expect(try await server.list("/api/v1/crashes", "crashes").count == 2)
    #expect(try await server.issues().count == 2)
    try await server.send(error: "C", user: "u", tags: ["k": "v"])
    let back = try await server.issues("k:v error.type:C")
    #expect(back.count == 1)
    #expect(back.first?["users"] as? Int == 1)
    await server.end()
  }

  @Test("the tables take what a server of the former release writes beside this one")
  func former() throws {
    let database = try DatabaseAddress(":memory:").open()
    try database.migrate(Schema.steps)
    for _ in 0..<2 {
      try database.run(
        """
        INSERT INTO crash_groups
        (app, name, strategy, kind, exception, title, function, module, place, process, count, first, last)
        VALUES ('a', '2:1', 'app', 'crash', 'E', 'T', 'f', 'm', 'p', 'x', 1, 5, 5)
        ON CONFLICT (app, name) DO UPDATE SET count = count + 1 RETURNING id, count
        """)
    }
    let (entries, _) = try IssueStore.entries(.init(apps: ["a"], now: 10), in: database)
    #expect(entries.map(\.count) == [2])
    #expect(entries.map(\.state) == [.unresolved])
  }

  @Test("that were stored before there were issues are found by what their events tell")
  func before() async throws {
    let folder = try TemporaryFolder()
    let first = try await TestServer(in: folder, isTidied: false)
    for user in ["u1", "u2"] { try await first.send(error: "Old", release: "shop@1.0", user: user, tags: ["k": "v"]) }
    try await first.services.store.write { database in
      for table in ["issue_values", "issue_texts", "issue_users", "issue_hours", "crash_regrouping"] {
        try database.run("DELETE FROM \(table)")
      }
      try database.run("UPDATE crash_groups SET users = 0, level = ''")
      try database.run("UPDATE issue_apps SET users = 0")
    }
    await first.end()
    let second = try await TestServer(in: folder, isTidied: false)
    #expect(try await second.issues("k:v").isEmpty)
    try await Regrouping(CrashIntake(second.services)).run(for: .seconds(10))
    let issue = try #require(try await second.issues("k:v \"old: broken\" release:shop@1.0").first)
    #expect(issue["users"] as? Int == 2)
    #expect(issue["count"] as? Int == 2)
    #expect(issue["level"] as? String == "error")
    await second.end()
  }

  @Test("of one app are nothing to the token of another, on any route")
  func apps() async throws {
    let server = try await TestServer()
    let store = server.services.store
    try await store.write { try $0.run("INSERT INTO apps VALUES ('otherapp', 'other', 1e10)") }
    try await server.services.access.begin()
    try await server.send(error: "Mine")
    try await server.send(error: "Theirs", user: "u", app: "otherapp")
    let grant = try await server.services.access.issue("b", [.read, .operate], app: "otherapp", lifetime: 100)
    let headers = ["Authorization": "Bearer \(grant.token)"]
    let mine = id(try await server.issues("error.type:Mine").first)
    let theirs = id(try await server.issues("error.type:Theirs").first)
    #expect(try await server.issues(token: grant.token).map(id) == [theirs])
    #expect(try await server.send("GET", "/api/v1/issues/\(mine)", headers).status == 404)
    #expect(try await server.changeIssue(mine, #"{"state":"resolved"}"#, headers).status == 404)
    #expect(try await server.changeIssue(theirs, #"{"merge_into":"\#(mine)"}"#, headers).status == 400)
    #expect(try await server.changeIssue(theirs, #"{"merge_into":"\#(mine)"}"#).status == 400)
    #expect(try await server.send("DELETE", "/api/v1/issues/\(mine)", headers).status == 404)
    let text = Array(#"{"text":"x"}"#.utf8)
    #expect(try await server.send("POST", "/api/v1/issues/\(mine)/comments", headers, body: text).status == 404)
    let bulk = Array(#"{"ids":["\#(mine)"],"state":"resolved"}"#.utf8)
    #expect(try await server.send("PATCH", "/api/v1/issues", headers, body: bulk).json["changed"] as? [String] == [])
    #expect(try await server.send("GET", "/issues/\(mine)", headers).status == 404)
    #expect(!(try await server.send("GET", "/issues", headers).text.contains("Mine: broken")))
    for action in ["state", "assignee", "merge", "split", "comments", "delete"] {
      let body = Array("state=resolved&assignee=x&merge_into=\(theirs)&split=1&text=x&sure=1".utf8)
      #expect(
        try await server.send("POST", "/issues/\(mine)/\(action)", headers, body: body).status != 303, "\(action)")
    }
    _ = try await server.send("POST", "/issues/bulk", headers, body: Array("id=\(mine)&action=resolved".utf8))
    #expect(state(try await server.issues("error.type:Mine").first) == "unresolved")
    let reader = try await server.services.access.issue("r", [.read], lifetime: 100)
    let weak = ["Authorization": "Bearer \(reader.token)"]
    #expect(try await server.changeIssue(mine, #"{"state":"resolved"}"#, weak).status == 403)
    #expect(
      try await server.send("POST", "/issues/\(mine)/state", weak, body: Array("state=resolved".utf8)).status == 403)
    await server.end()
  }
}
