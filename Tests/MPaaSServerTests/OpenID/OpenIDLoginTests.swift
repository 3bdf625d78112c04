import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// A console with an issuer, as a browser sees both.
struct OpenIDConsole {
  let server: TestServer
  let issuer: IssuerDouble

  init(
    _ issuer: IssuerDouble? = nil, in folder: TemporaryFolder? = nil, _ more: JSONValue.Object = [:],
    time: Time? = nil, uptime: Time? = nil
  ) async throws {
    self.issuer = try issuer ?? IssuerDouble()
    let folder = try folder ?? TemporaryFolder()
    let file = try self.issuer.settings(folder, more)
    server = try await TestServer(in: folder, time: time, uptime: uptime) { $0.oidc = file }
  }

  /// Follows the link: the address at the issuer, and the cookie.
  func begin() async throws -> (location: String, cookie: String) {
    let answer = try await server.send("GET", "/login/oidc", ["Authorization": "", "Sec-Fetch-Site": "same-origin"])
    #expect(answer.status == 303, "\(answer.text)")
    let cookie = answer.headers["set-cookie"] ?? ""
    #expect(cookie.hasPrefix("mpaas_oidc=") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
    return (answer.headers["location"] ?? "", String(cookie.prefix { $0 != ";" }))
  }

  func end(_ query: String, _ cookie: String?) async throws -> TestAnswer {
    var headers = ["Authorization": "", "Sec-Fetch-Site": "cross-site", "User-Agent": "Browser 1"]
    headers["Cookie"] = cookie
    return try await server.send("GET", "/login/oidc/callback?\(query)", headers)
  }

  /// Logs in to the end.
  func login(_ claims: JSONValue.Object) async throws -> TestAnswer {
    let (location, cookie) = try await begin()
    return try await end(try issuer.authorize(location, claims), cookie)
  }

  /// Logs in: the cookie of the session.
  func session(_ claims: JSONValue.Object) async throws -> String {
    let answer = try await login(claims)
    #expect(answer.status == 200, "\(answer.text)")
    let cookie = answer.headers["set-cookie"] ?? ""
    #expect(cookie.hasPrefix("mpaas_session=mps_") && cookie.contains("SameSite=Strict"), "\(answer.headers)")
    return String(cookie.prefix { $0 != ";" })
  }

  func get(_ path: String, _ cookie: String) async throws -> TestAnswer {
    try await server.send("GET", path, ["Authorization": "", "Cookie": cookie])
  }

  func people() async throws -> [PersonEntry] {
    try await server.services.store.read { try PeopleStore.people(in: $0) }
  }

  func deeds() async throws -> [String] {
    try await server.services.store.read {
      try AuditTrail.entries(after: 0, limit: 1000, in: $0).map { "\($0.action) \($0.object) \($0.detail)" }
    }
  }
}

@Suite("Logins by an issuer") struct OpenIDLoginTests {
  private static let ann: JSONValue.Object = [
    "sub": "4711", "preferred_username": "ann", "email": "ann@example.com", "groups": ["devs"],
  ]

  private static func with(_ changes: JSONValue.Object) -> JSONValue.Object {
    var claims = ann
    claims.merge(changes) { $1 }
    return claims
  }

  @Test(
    "make an account with the role of the groups, which is another one where the groups are",
    arguments: SigningAlgorithm.allCases)
  func login(algorithm: SigningAlgorithm) async throws {
    let console = try await OpenIDConsole(try IssuerDouble(algorithm))
    let page = try await console.server.send("GET", "/login", ["Authorization": ""])
    #expect(page.text.contains(#"<a class=button href="/login/oidc">"#) && !page.text.contains("<script"))
    let answer = try await console.login(Self.ann)
    // Not a redirection: the session's cookie would not be sent within it.
    #expect(answer.status == 200 && answer.headers["refresh"] == "0; url=/" && answer.text.contains("ann"))
    #expect(answer.headers["content-security-policy"]?.contains("form-action 'self'") == true)
    let cookie = try await console.session(Self.ann)
    #expect(try await console.get("/issues", cookie).status == 200)
    #expect(try await console.get("/people", cookie).status == 403)
    let account = try await console.get("/account", cookie)
    #expect(account.text.contains("<b>ann</b>") && !account.text.contains("/account/password"))
    #expect(account.text.contains("Browser 1"))
    let one = try #require(try await console.people().first)
    #expect(one.role == "member" && one.mail == "ann@example.com" && one.subject == "\(console.issuer.url) 4711")
    // Another role, under another name of theirs: the same account.
    let admin = try await console.session(Self.with(["groups": ["devs", "admins"], "preferred_username": "ann.b"]))
    #expect(try await console.get("/people", admin).status == 200)
    #expect(try await console.get("/people", cookie).status == 200)
    #expect(try await console.people().map(\.name) == ["ann"])
    #expect(try await console.get("/people", admin).text.contains("4711"))
    let deeds = try await console.deeds()
    #expect(deeds.contains("person.created ann oidc, role member") && deeds.contains("login ann oidc"))
    #expect(deeds.contains("person.changed ann oidc, role member → admin"))
    let out = try await console.server.send(
      "POST", "/logout", ["Authorization": "", "Cookie": admin, "Sec-Fetch-Site": "same-origin"])
    #expect(out.status == 303)
    #expect(try await console.get("/issues", admin).headers["location"] == "/login")
    #expect(try await console.get("/issues", cookie).status == 200)
    await console.server.end()
  }

  @Test("of people whose groups give no role are refused, and end what they had")
  func roles() async throws {
    let console = try await OpenIDConsole()
    let none = try await console.login(Self.with(["groups": ["others"]]))
    #expect(none.status == 403 && none.headers["set-cookie"]?.hasPrefix("mpaas_oidc=;") == true)
    #expect(none.text.contains("ann has no role") && none.text.contains("name=account"), "\(none.text)")
    #expect(try await console.people().isEmpty)
    let cookie = try await console.session(Self.ann)
    #expect(try await console.get("/issues", cookie).status == 200)
    #expect(try await console.login(Self.with(["groups": []])).status == 403)
    #expect(try await console.get("/issues", cookie).headers["location"] == "/login")
    let one = try #require(try await console.people().first)
    #expect(one.role == nil && !one.isDisabled)
    #expect(try await console.deeds().contains("login.refused ann oidc-role"))
    // Back again, the account is the same; whom the console has disabled stays out.
    _ = try await console.session(Self.ann)
    let path = "\(ConsolePaths.people)/ann"
    #expect(try await console.server.ask("PATCH", path, #"{"disabled":true}"#).status == 200)
    #expect(try await console.login(Self.with(["groups": ["admins"]])).status == 403)
    #expect(try await console.people().map(\.role) == ["member"])
    #expect(try await console.deeds().last == "login.refused ann oidc-disabled")
    await console.server.end()
  }

  @Test("give roles in teams for the teams' apps alone, and take them away again")
  func teams() async throws {
    let rules: JSONValue.Object = [
      "teams": [
        ["group": "pay", "team": "Payments", "role": "member"], ["group": "maps", "team": "Maps", "role": "reader"],
      ]
    ]
    let console = try await OpenIDConsole(nil, rules)
    // A team that there is not yet gives nothing.
    #expect(try await console.login(Self.with(["groups": ["pay"]])).status == 403)
    #expect(try await console.people().isEmpty)
    try await console.server.addApp("bbb", "b")
    for (name, apps) in [("Payments", #"["b"]"#), ("Maps", "[]"), ("Own", #"["b"]"#)] {
      let team = #"{"name":"\#(name)","apps":\#(apps)}"#
      #expect(try await console.server.ask("POST", ConsolePaths.teams, team).status == 201)
    }
    let cookie = try await console.session(Self.with(["groups": ["pay", "maps"]]))
    #expect(try await console.people().map(\.teams) == [["Maps", "Payments"]])
    #expect(try await console.get("/issues?app=bbb", cookie).status == 200)
    #expect(try await console.get("/issues?app=\(console.server.run.ready.appKey)", cookie).status == 403)
    // Teams that no group decides about are the console's own.
    let own = #"{"members":[{"person":"ann","role":"reader"}]}"#
    #expect(try await console.server.ask("PATCH", "\(ConsolePaths.teams)/Own", own).status == 200)
    _ = try await console.session(Self.with(["groups": []]))
    #expect(try await console.people().map(\.teams) == [["Own"]])
    #expect(try await console.deeds().contains("team.changed Payments oidc, ann member → none"))
    await console.server.end()
  }

  @Test("take over no account that has the same name or address")
  func takeover() async throws {
    let console = try await OpenIDConsole()
    let local = #"{"name":"ann","mail":"ann@example.com","password":"correct horse battery","role":"owner"}"#
    #expect(try await console.server.ask("POST", ConsolePaths.people, local).status == 201)
    let cookie = try await console.session(Self.ann)
    #expect(try await console.get("/people", cookie).status == 403)
    let people = try await console.people()
    #expect(people.map(\.name) == ["ann", "ann@example.com"] && people.map(\.role) == ["owner", "member"])
    // Another person with the same name at the issuer is another account, too.
    _ = try await console.session(Self.with(["sub": "4712"]))
    #expect(try await console.people().count == 3)
    #expect(Set(try await console.people().map(\.name)).count == 3)
    let right = try await console.server.send(
      "POST", "/login", ["Authorization": ""], body: Array("account=ann&password=correct+horse+battery".utf8))
    #expect(right.status == 303)
    await console.server.end()
  }

  @Test("lead to an account that an administrator has bound, which has no password from then on")
  func bound() async throws {
    let console = try await OpenIDConsole()
    let (server, path) = (console.server, "\(ConsolePaths.people)/bob")
    let local = #"{"name":"bob","password":"correct horse battery","role":"reader"}"#
    #expect(try await server.ask("POST", ConsolePaths.people, local).status == 201)
    for subject in ["4711", "https://a b c", "https://a.example ", " 4711", "https://a.example a\\u0000"] {
      #expect(try await server.ask("PATCH", path, #"{"subject":"\#(subject)"}"#).status == 400, "\(subject)")
    }
    let subject = "\(console.issuer.url) 4711"
    #expect(try await server.ask("PATCH", path, #"{"subject":"\#(subject)"}"#).status == 200)
    let wrong = try await server.send(
      "POST", "/login", ["Authorization": ""], body: Array("account=bob&password=correct+horse+battery".utf8))
    #expect(wrong.status == 403)
    let password = try await server.ask("PATCH", path, #"{"password":"another horse battery"}"#)
    #expect(password.status == 409 && password.json["code"] as? String == "person-external")
    let other = try await server.ask("POST", ConsolePaths.people, #"{"name":"eve","subject":"\#(subject)"}"#)
    #expect(other.status == 409 && other.json["code"] as? String == "person-subject-exists")
    _ = try await console.session(Self.with(["groups": ["admins"]]))
    #expect(try await console.people().map(\.name) == ["bob"])
    #expect(try await console.people().map(\.role) == ["admin"])
    #expect(
      try await server.ask("PATCH", path, #"{"subject":"","password":"another horse battery"}"#).status == 200)
    let again = try await server.send(
      "POST", "/login", ["Authorization": ""], body: Array("account=bob&password=another+horse+battery".utf8))
    #expect(again.status == 303)
    _ = try await console.session(Self.ann)
    #expect(try await console.people().map(\.name) == ["ann", "bob"])
    await server.end()
  }

  @Test("come back once, to the browser that began them, within ten minutes")
  func state() async throws {
    let time = Time(Date().timeIntervalSince1970)
    let uptime = Time(0)
    let issuer = try IssuerDouble(time: time)
    let console = try await OpenIDConsole(issuer, time: time, uptime: uptime)
    func isRefused(_ query: String, _ cookie: String?) async throws -> Bool {
      // Each wrong one has to wait for longer.
      uptime.now += LoginBrake.longest
      let answer = try await console.end(query, cookie)
      #expect(answer.status == 400 && answer.headers["set-cookie"]?.hasPrefix("mpaas_oidc=;") == true)
      return answer.text.contains("was not begun in this browser")
    }
    let (location, cookie) = try await console.begin()
    let (_, other) = try await console.begin()
    let query = try issuer.authorize(location, Self.ann)
    #expect(try await isRefused(query, nil))
    #expect(try await isRefused(query, other))
    #expect(try await isRefused(query, "mpaas_oidc=AAAA"))
    #expect(try await isRefused(query.replacingOccurrences(of: "state=", with: "state=x"), cookie))
    #expect(try await isRefused(String(query.prefix { $0 != "&" }), cookie))
    #expect(try await isRefused(query + "&iss=https://evil.example", cookie))
    #expect(try await isRefused(query + "&x=" + String(repeating: "a", count: 9000), cookie))
    #expect(issuer.asked("/token") == 0)
    #expect(try await console.people().isEmpty)
    uptime.now += LoginBrake.longest
    let good = try await console.end(query + "&iss=" + PercentEncoding.encode(issuer.url), cookie)
    #expect(good.status == 200, "\(good.text)")
    #expect(try await isRefused(query, cookie))
    #expect(try await isRefused(try issuer.authorize(location, Self.ann), cookie))
    #expect(issuer.asked("/token") == 1)
    let late = try await console.begin()
    time.now += LoginState.lifetime
    #expect(try await isRefused(try issuer.authorize(late.location, Self.ann), late.cookie))
    #expect(issuer.asked("/token") == 1)
    await console.server.end()
  }

  @Test("begun at one server of a database end at another")
  func servers() async throws {
    let (issuer, folder) = (try IssuerDouble(), try TemporaryFolder())
    let first = try await OpenIDConsole(issuer, in: folder)
    let (location, cookie) = try await first.begin()
    await first.server.end()
    let second = try await OpenIDConsole(issuer, in: folder)
    // The address that the issuer sends to is the one that was asked for, whichever server it reaches.
    #expect(try await second.end(try issuer.authorize(location, Self.ann), cookie).status == 200)
    await second.server.end()
  }

  @Test("with a token that is not of the issuer, for this client and this login are refused, and noted")
  func tokens() async throws {
    let console = try await OpenIDConsole()
    let issuer = console.issuer
    let changes: [(String, @Sendable (inout JSONValue.Object) -> Void)] = [
      ("oidc-nonce", { $0["nonce"] = "other" }), ("oidc-audience", { $0["aud"] = "other" }),
      ("oidc-issuer", { $0["iss"] = "https://evil.example" }), ("oidc-expired", { $0["exp"] = 1 }),
      ("oidc-access-hash", { $0["at_hash"] = "AAAAAAAAAAAAAAAAAAAAAA" }),
    ]
    for (reason, change) in changes {
      issuer.change(change)
      let answer = try await console.login(Self.ann)
      #expect(answer.status == 403 && answer.text.contains("token"), "\(reason): \(answer.text)")
      #expect(try await console.deeds().last == "login.refused oidc \(reason)")
      console.server.services.logins.succeed("127.0.0.1")
    }
    issuer.change { _ in }
    let forged = try TestKey(.es256)
    issuer.hand(token: try forged.token(IdentityTokenTests.claims(["iss": .string(issuer.url)])))
    #expect(try await console.login(Self.ann).status == 403)
    #expect(try await console.deeds().last == "login.refused oidc oidc-signature")
    issuer.hand(token: "none")
    #expect(try await console.login(Self.ann).status == 403)
    console.server.services.logins.succeed("127.0.0.1")
    issuer.hand(token: nil)
    #expect(try await console.people().isEmpty)
    _ = try await console.session(Self.ann)
    await console.server.end()
  }

  @Test("that the issuer refuses, or that it has no code for, are told as a page in the language that is asked for")
  func denied() async throws {
    let console = try await OpenIDConsole(uptime: Time(0))
    let (location, cookie) = try await console.begin()
    let state = Form(location)["state"]
    let denied = try await console.server.send(
      "GET", "/login/oidc/callback?error=access_denied%3Cscript%3E&state=\(state)",
      ["Authorization": "", "Cookie": cookie, "Accept-Language": "zh-CN"])
    #expect(denied.status == 403 && denied.text.contains("身份提供方未允许您登录：access_deniedscript"), "\(denied.text)")
    #expect(!denied.text.contains("<script"))
    let unknown = try await console.begin()
    let code = try await console.end("code=strange&state=\(Form(unknown.location)["state"])", unknown.cookie)
    #expect(code.status == 502 && code.text.contains("invalid_grant"))
    let empty = try await console.begin()
    #expect(try await console.end("state=\(Form(empty.location)["state"])", empty.cookie).status == 400)
    // Many wrong ones have to wait, here as at passwords.
    var statuses: [Int] = []
    for _ in 0..<10 { statuses.append(try await console.end("code=x&state=x", nil).status) }
    #expect(statuses.contains(429))
    #expect(try await console.server.send("GET", "/login/oidc", ["Authorization": ""]).status == 429)
    await console.server.end()
  }

  @Test("are begun by a person who clicks, not by pages of other sites")
  func foreign() async throws {
    let console = try await OpenIDConsole()
    let answer = try await console.server.send(
      "GET", "/login/oidc", ["Authorization": "", "Sec-Fetch-Site": "cross-site"])
    #expect(answer.status == 303 && answer.headers["location"] == "/login" && answer.headers["set-cookie"] == nil)
    #expect(try await console.server.send("POST", "/login/oidc", ["Authorization": ""]).status == 404)
    await console.server.end()
  }

  @Test("take groups that only the issuer's page about a person has, and nobody else's")
  func information() async throws {
    let console = try await OpenIDConsole()
    let claims: JSONValue.Object = ["sub": "4711", "preferred_username": "ann"]
    console.issuer.tell(info: ["sub": "4712", "groups": ["owners"]])
    let other = try await console.login(claims)
    #expect(other.status == 502 && other.text.contains("userinfo"))
    console.issuer.tell(info: ["sub": "4711", "groups": ["admins"], "preferred_username": "eve"])
    _ = try await console.session(claims)
    #expect(try await console.people().map(\.name) == ["ann"])
    #expect(try await console.people().map(\.role) == ["admin"])
    await console.server.end()
    // An address that the one tells is not verified by the other.
    let strict = try await OpenIDConsole(nil, ["allowed_domains": ["example.com"]])
    strict.issuer.tell(info: ["sub": "4711", "groups": ["admins"], "email": "ann@example.com"])
    let mixed = try await strict.login(["sub": "4711", "preferred_username": "ann", "email_verified": true])
    #expect(mixed.status == 403 && mixed.text.contains("domains"), "\(mixed.text)")
    strict.issuer.tell(
      info: ["sub": "4711", "groups": ["admins"], "email": "ann@example.com", "email_verified": true])
    #expect(try await strict.login(["sub": "4711", "email": "ann@evil.example"]).status == 403)
    _ = try await strict.session(["sub": "4711"])
    await strict.server.end()
  }

  @Test("of an issuer that names itself in answers are taken with its name alone")
  func issuerName() async throws {
    let issuer = try IssuerDouble()
    issuer.tell(["authorization_response_iss_parameter_supported": true])
    let console = try await OpenIDConsole(issuer)
    #expect(try await console.login(Self.ann).status == 400)
    let (location, cookie) = try await console.begin()
    let query = try issuer.authorize(location, Self.ann) + "&iss=" + PercentEncoding.encode(issuer.url)
    #expect(try await console.end(query, cookie).status == 200)
    await console.server.end()
  }

  @Test("go by cookies of this host alone where the console is reached by TLS")
  func cookies() async throws {
    let (issuer, folder) = (try IssuerDouble(), try TemporaryFolder())
    let file = try issuer.settings(folder)
    let first = try await TestServer(in: folder)
    let port = first.port
    await first.end()
    let server = try await TestServer(in: folder) {
      $0.oidc = file
      $0.listen = "127.0.0.1:\(port)"
      $0.publicURL = "https://console.example.com"
    }
    func get(_ path: String, _ cookie: String = "a=b") async throws -> TestAnswer {
      let head = "GET \(path) HTTP/1.1\r\nHost: evil.example\r\nCookie: \(cookie)\r\nConnection: close\r\n\r\n"
      return try await TestConnection(port).exchange(Array(head.utf8))
    }
    let answer = try await get("/login/oidc")
    let cookie = try #require(answer.headers["set-cookie"])
    #expect(cookie.hasPrefix("__Host-mpaas_oidc=") && cookie.hasSuffix("; Secure") && cookie.contains("Path=/;"))
    let location = try #require(answer.headers["location"])
    let redirect = Form(String(location.drop { $0 != "?" }.dropFirst()))["redirect_uri"]
    #expect(redirect == "https://console.example.com/login/oidc/callback")
    let query = try issuer.authorize(location, Self.ann)
    let entered = try await get("/login/oidc/callback?\(query)", String(cookie.prefix { $0 != ";" }))
    #expect(entered.headers["set-cookie"]?.hasPrefix("__Host-mpaas_session=") == true)
    await server.end()
  }
}
