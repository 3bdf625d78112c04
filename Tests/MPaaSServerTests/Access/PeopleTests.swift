import Foundation
import MPaaSDatabase
import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

private let password = "correct horse battery"

extension TestServer {
  fileprivate func addPerson(_ name: String, role: String? = nil) async throws -> TestAnswer {
    let role = role.map { #","role":"\#($0)""# } ?? ""
    return try await ask("POST", ConsolePaths.people, #"{"name":"\#(name)","password":"\#(password)"\#(role)}"#)
  }

  /// Logs in; the cookie, or nil where that was refused.
  fileprivate func login(_ name: String, _ secret: String = password) async throws -> String? {
    let words = secret.replacingOccurrences(of: " ", with: "+")
    let answer = try await send(
      "POST", "/login", ["Authorization": ""], body: Array("account=\(name)&password=\(words)".utf8))
    guard answer.status == 303 else { return nil }
    return answer.headers["set-cookie"]?.split(separator: ";").first.map(String.init)
  }

  fileprivate func get(_ path: String, _ cookie: String) async throws -> TestAnswer {
    try await send("GET", path, ["Authorization": "", "Cookie": cookie])
  }

  fileprivate func post(_ path: String, _ cookie: String, _ form: String = "") async throws -> TestAnswer {
    try await send(
      "POST", path, ["Authorization": "", "Cookie": cookie, "Sec-Fetch-Site": "same-origin"], body: Array(form.utf8))
  }
}

@Suite("People of the console") struct PeopleTests {
  @Test("log in by account and password, of which neither is stored as it is, and log out", .inFile)
  func login() async throws {
    let server = try await TestServer()
    #expect(try await server.addPerson("ann", role: "member").status == 201)
    #expect(try await server.login("ann", "wrong horse battery") == nil)
    #expect(try await server.login("bob") == nil)
    let cookie = try #require(try await server.login("ann"))
    #expect(cookie.hasPrefix("mpaas_session=mps_"))
    #expect(try await server.get("/issues", cookie).status == 200)
    #expect(try await server.get("/people", cookie).status == 403)
    let account = try await server.get("/account", cookie)
    #expect(account.text.contains("<b>ann</b>") && !account.text.contains("<script"))
    let stored = try Data(contentsOf: URL(filePath: server.folder.path + "/data/mpaas.sqlite-wal"))
    #expect(stored.range(of: Data(password.utf8)) == nil)
    #expect(stored.range(of: Data(cookie.dropFirst("mpaas_session=".utf8.count).utf8)) == nil)
    #expect(try await server.post("/logout", cookie).status == 303)
    #expect(try await server.get("/issues", cookie).headers["location"] == "/login")
    await server.end()
  }

  @Test("have the rights of their role, and of their teams for the teams' apps alone")
  func teams() async throws {
    let server = try await TestServer()
    try await server.addApp("bbb", "b")
    try await server.addApp("ccc", "c")
    for key in ["bbb", "ccc"] {
      let event = #"{"platform":"python","exception":{"values":[{"type":"Of\#(key)","value":"x"}]}}"#
      #expect(try await server.envelope(event, key: key).status == 200)
    }
    #expect(try await server.addPerson("ann").status == 201)
    // Without any role there is nothing to see.
    let none = try #require(try await server.login("ann"))
    #expect(try await server.get("/", none).headers["location"] == "/login")
    let team = #"{"name":"B team","apps":["b"],"members":[{"person":"ann","role":"member"}]}"#
    #expect(try await server.ask("POST", ConsolePaths.teams, team).status == 201)
    let cookie = try #require(try await server.login("ann"))
    let page = try await server.get("/issues", cookie)
    #expect(page.text.contains("Ofbbb") && !page.text.contains("Ofccc"))
    #expect(try await server.get("/issues?app=ccc", cookie).status == 403)
    #expect(try await server.get("/alerts", cookie).status == 200)
    // Two teams: the app is chosen.
    let other = #"{"name":"C team","apps":["ccc"],"members":[{"person":"ann","role":"reader"}]}"#
    let made = try await server.ask("POST", ConsolePaths.teams, other)
    let chosen = cookie + "; mpaas_app=ccc"
    #expect(try await server.get("/issues", chosen).text.contains("Ofccc"))
    #expect(try await server.get("/alerts", chosen).status == 403)
    let id = try #require(made.json["id"] as? String)
    #expect(try await server.ask("DELETE", "\(ConsolePaths.teams)/\(id)").status == 204)
    #expect(!(try await server.get("/issues", chosen).text.contains("Ofccc")))
    await server.end()
  }

  @Test("who are disabled, or have another password, are out at once")
  func ended() async throws {
    let server = try await TestServer()
    #expect(try await server.addPerson("ann", role: "reader").status == 201)
    for change in [#"{"disabled":true}"#, #"{"password":"another long one"}"#] {
      let cookie = try #require(try await server.login("ann"))
      #expect(try await server.get("/issues", cookie).status == 200)
      #expect(try await server.ask("PATCH", "\(ConsolePaths.people)/ann", change).status == 200)
      #expect(try await server.get("/issues", cookie).headers["location"] == "/login")
      #expect(try await server.ask("PATCH", "\(ConsolePaths.people)/ann", #"{"disabled":false}"#).status == 200)
    }
    #expect(try await server.login("ann") == nil)
    #expect(try await server.login("ann", "another long one") != nil)
    await server.end()
  }

  @Test("see their sessions and end them, which end by themselves when they are idle or old")
  func sessions() async throws {
    let time = Time(1_000_000)
    let server = try await TestServer(time: time, uptime: time)
    #expect(try await server.addPerson("ann", role: "reader").status == 201)
    let (first, second) = (try #require(try await server.login("ann")), try #require(try await server.login("ann")))
    let list = try await server.list(ConsolePaths.sessions, "sessions")
    #expect(list.count == 2 && list.allSatisfy { $0["name"] as? String == "ann" })
    let digest = TokenRow.hash(String(second.dropFirst("mpaas_session=".utf8.count)))
    let found = try await server.services.store.read { database in
      try database.row("SELECT id FROM person_sessions WHERE digest = ?", [.blob(digest)]) { $0.text(0) }
    }
    let id = try #require(found)
    #expect(try await server.post("/account/sessions/\(id)/end", first).status == 303)
    #expect(try await server.get("/issues", second).headers["location"] == "/login")
    for _ in 0..<20 {
      time.now += Sessions.idle - 60
      guard time.now < 1_000_000 + Sessions.longest else { break }
      #expect(try await server.get("/issues", first).status == 200)
    }
    #expect(try await server.get("/issues", first).headers["location"] == "/login")
    let third = try #require(try await server.login("ann"))
    time.now += Sessions.idle + 1
    #expect(try await server.get("/issues", third).headers["location"] == "/login")
    await server.end()
  }

  @Test("change their own password where they know the old one")
  func ownPassword() async throws {
    let server = try await TestServer()
    #expect(try await server.addPerson("ann", role: "reader").status == 201)
    let cookie = try #require(try await server.login("ann"))
    let wrong = try await server.post("/account/password", cookie, "old=x&new=a+new+long+one")
    #expect(wrong.status == 403 && wrong.text.contains("role=alert"))
    let words = password.replacingOccurrences(of: " ", with: "+")
    #expect(try await server.post("/account/password", cookie, "old=\(words)&new=short").status == 400)
    #expect(try await server.post("/account/password", cookie, "old=\(words)&new=a+new+long+one").status == 303)
    #expect(try await server.get("/issues", cookie).headers["location"] == "/login")
    #expect(try await server.login("ann", "a new long one") != nil)
    await server.end()
  }

  @Test("owners are made and changed by owners alone; names are taken once; what is wrong is named")
  func bounds() async throws {
    let server = try await TestServer()
    let admin = try await server.services.access.issue("admin", [.admin], lifetime: 1000).token
    let body = #"{"name":"boss","role":"owner","password":"\#(password)"}"#
    #expect(try await server.ask("POST", ConsolePaths.people, body, as: admin).status == 403)
    #expect(try await server.ask("POST", ConsolePaths.people, body).status == 201)
    let path = "\(ConsolePaths.people)/boss"
    #expect(try await server.ask("PATCH", path, #"{"disabled":true}"#, as: admin).status == 403)
    #expect(try await server.ask("POST", ConsolePaths.people, body).status == 409)
    for body in [
      #"{"name":"a b","password":"\#(password)"}"#, #"{"name":"c","role":"king"}"#, #"{"name":"c","password":"short"}"#,
      #"{"name":"c","mail":"x"}"#, #"{"password":"\#(password)"}"#,
    ] { #expect(try await server.ask("POST", ConsolePaths.people, body).status == 400, "\(body)") }
    try await server.addApp("bbb", "b")
    let local = try await server.services.access.issue("local", [.admin], app: "bbb", lifetime: 1000).token
    for path in [ConsolePaths.people, ConsolePaths.teams, ConsolePaths.sessions, ConsolePaths.audit, "/people"] {
      #expect(try await server.ask("GET", path, as: local).status == 403, "\(path)")
    }
    await server.end()
  }

  @Test("have a page with forms that work without scripts")
  func page() async throws {
    let server = try await TestServer()
    let words = password.replacingOccurrences(of: " ", with: "+")
    #expect(try await server.ask("POST", "/people", "name=ann&mail=&role=reader&password=\(words)").status == 303)
    #expect(try await server.ask("POST", "/people/teams", "name=T&app=\(server.run.ready.appKey)").status == 303)
    let again = try await server.ask("POST", "/people", "name=ann&mail=&role=reader&password=\(words)")
    #expect(again.status == 409 && again.text.contains("role=alert"))
    let page = try await server.ask("GET", "/people")
    #expect(page.status == 200 && page.text.contains("ann") && !page.text.contains("<script"))
    #expect(page.body.count < 40_000)
    let id = try #require(try await server.list(ConsolePaths.people, "people").first?["id"] as? String)
    for (action, form) in [("disable", ""), ("enable", ""), ("role", "role=member")] {
      #expect(try await server.ask("POST", "/people/\(id)/\(action)", form).status == 303, "\(action)")
    }
    #expect(try await server.ask("GET", "/people/audit").text.contains("person.created"))
    let zh = try await server.send("GET", "/people", ["Accept-Language": "zh-CN"])
    #expect(zh.text.contains("审计日志"))
    await server.end()
  }
}

@Suite("The audit log") struct AuditTests {
  @Test("has an entry of each change of an operator, in a chain that tells what was altered or taken out")
  func chain() async throws {
    let server = try await TestServer()
    for name in ["a", "b"] {
      _ = try await server.ask("POST", ConsolePaths.tokens, #"{"name":"\#(name)","role":"reader"}"#)
    }
    _ = try await server.ask("POST", "/api/v1/tasks", #"{"user":"u","from":0,"to":10}"#)
    #expect(try await server.ask("POST", "/api/v1/tasks", "{}").status == 400)
    func entries() async throws -> [AuditEntry] {
      let answer = try await server.ask("GET", ConsolePaths.audit)
      return try JSONDecoder().decode(AuditPage.self, from: Data(answer.body)).entries
    }
    func isWhole(_ entries: [AuditEntry]) -> Bool {
      var digest = AuditEntry.beginning
      for (index, entry) in entries.enumerated() {
        guard entry.number == index + 1, entry.text(after: digest).utf8.sha256.hexadecimal == entry.digest else {
          return false
        }
        digest = entry.digest
      }
      return true
    }
    let all = try await entries()
    #expect(all.map(\.action) == ["token.created", "token.created", "POST"])
    #expect(all.map(\.actor) == ["start", "start", "start"] && all.last?.object == "/api/v1/tasks")
    #expect(isWhole(all))
    try await server.services.store.write { try $0.run("UPDATE audit SET actor = 'x' WHERE number = 2") }
    #expect(!isWhole(try await entries()))
    try await server.services.store.write { try $0.run("DELETE FROM audit WHERE number = 2") }
    #expect(!isWhole(try await entries()))
    await server.end()
  }

  @Test("no two entries have one text")
  func text() {
    let one = AuditEntry(number: 1, time: 2, actor: "a\n1:b", action: "c", object: "")
    let other = AuditEntry(number: 1, time: 2, actor: "a", action: "1:b\n1:c", object: "")
    #expect(one.text(after: "") != other.text(after: ""))
  }
}
