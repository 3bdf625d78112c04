import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("The file about an issuer") struct OpenIDSettingsTests {
  private static let least: JSONValue.Object = [
    "issuer": "https://id.example.com", "client_id": "console", "default_role": "reader",
  ]

  private static func read(
    _ text: String, environment: [String: String] = [:]
  ) throws -> Result<OpenIDSettings, ServerError> {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "oidc.json")
    try Data(text.utf8).write(to: file)
    try Data("from the file\nsecond line\n".utf8).write(to: folder.url.appending(path: "secret"))
    try Data().write(to: folder.url.appending(path: "empty"))
    do throws(ServerError) {
      return .success(try OpenIDSettings(file.path, environment: environment))
    } catch {
      return .failure(error)
    }
  }

  private static func changed(_ changes: JSONValue.Object, without: [String] = []) -> String {
    var object = least
    object.merge(changes) { $1 }
    for name in without { object[name] = nil }
    return JSONValue.object(object).line
  }

  @Test("says who is asked, with which secret, and which groups have which roles")
  func whole() throws {
    let settings = try Self.read(
      Self.changed([
        "client_secret_file": "secret", "scopes": ["email", "groups"], "groups_claim": "realm_access.roles",
        "roles": ["admins": "admin", "all": "reader"], "name": "Example", "allowed_domains": ["Example.COM"],
        "teams": [["group": "pay", "team": "Payments", "role": "member"]],
      ]), environment: [OpenIDSettings.secretVariable: "other"]
    ).get()
    #expect(settings.secret == "from the file" && settings.scopes == ["openid", "email", "groups"])
    #expect(settings.roles["admins"] == .admin && settings.usual == .reader && settings.domains == ["example.com"])
    #expect(settings.teams == [OpenIDSettings.TeamRule(group: "pay", team: "Payments", role: .member)])
    let least = try Self.read(
      JSONValue.object(Self.least).line, environment: [OpenIDSettings.secretVariable: "from outside"]
    ).get()
    #expect(least.secret == "from outside" && least.groups == "groups" && least.scopes.contains("openid"))
    #expect(try Self.read(JSONValue.object(Self.least).line).get().secret == nil)
  }

  @Test("is refused with the member that cannot be used, and status 78")
  func faults() throws {
    let faults: [(String, JSONValue.Object)] = [
      ("issuer", ["issuer": "http://id.example.com"]), ("issuer", ["issuer": "https://id.example.com?a=b"]),
      ("issuer", ["issuer": 1]), ("client_id", ["client_id": ""]), ("client_id", ["client_id": .null]),
      ("client_secret_file", ["client_secret_file": "missing"]),
      ("client_secret_file", ["client_secret_file": "empty"]),
      ("client_secret", ["client_secret": "in the file itself"]), ("scopes", ["scopes": "openid"]),
      ("scopes", ["scopes": ["a b"]]), ("scopes", ["scopes": [1]]), ("groups_claim", ["groups_claim": ""]),
      ("roles", ["roles": ["admin"]]), ("roles.a", ["roles": ["a": "root"]]), ("roles.a", ["roles": ["a": "ingest"]]),
      ("roles", ["default_role": .null]), ("default_role", ["default_role": "ingest"]),
      ("default_role", ["default_role": ""]), ("teams", ["teams": [:]]), ("teams[0]", ["teams": [["group": "a"]]]),
      (
        "teams[1]",
        [
          "teams": [
            ["group": "a", "team": "b", "role": "admin"], ["group": "a", "team": "b", "role": "owner"],
          ]
        ]
      ),
      ("allowed_domains", ["allowed_domains": "example.com"]), ("allowed_domains", ["allowed_domains": [""]]),
      ("name", ["name": ""]), ("ca", ["ca": 1]), ("rolls", ["rolls": [:]]),
    ]
    for (member, changes) in faults {
      guard case .failure(let error) = try Self.read(Self.changed(changes)) else {
        Issue.record("\(changes) is taken")
        continue
      }
      #expect(error.code == .openIDSettings && error.values["reason"] == member, "\(changes): \(error)")
      #expect(error.diagnostic.exit == .badConfiguration)
    }
    for text in ["", "[]", "{", "null"] {
      guard case .failure(let error) = try Self.read(text) else {
        Issue.record("\(text) is taken")
        continue
      }
      #expect(error.code == .openIDSettings)
    }
    #expect(throws: ServerError.self) { try OpenIDSettings("/nowhere/oidc.json", environment: [:]) }
  }

  @Test("that is wrong ends the start, and an issuer that is away does not")
  func start() async throws {
    let folder = try TemporaryFolder()
    let file = folder.path + "/oidc.json"
    try Data("{}".utf8).write(to: URL(filePath: file))
    let error = await #expect(throws: ServerError.self) { _ = try await TestServer { $0.oidc = file } }
    #expect(error?.code == .openIDSettings)
    try Data(Self.changed(["issuer": "http://127.0.0.1:9"]).utf8).write(to: URL(filePath: file))
    let server = try await TestServer { $0.oidc = file }
    let away = try await server.send("GET", "/login/oidc", ["Authorization": ""])
    #expect(away.status == 503 && away.text.contains("http://127.0.0.1:9"), "\(away.text)")
    let page = try await server.send("GET", "/login", ["Authorization": "", "Accept-Language": "zh-CN"])
    #expect(page.status == 200 && page.text.contains("/login/oidc") && page.text.contains("目前无法连接单点登录"))
    #expect(page.text.contains("name=account") && page.text.contains("name=token"))
    await server.end()
    // One that says nothing keeps no server from ending.
    let silent = try LoopbackListener()
    silent.serve { _, _ in sleep(15) }
    try Data(Self.changed(["issuer": .string(silent.url)]).utf8).write(to: URL(filePath: file))
    let patient = try await TestServer { $0.oidc = file }
    let begin = ContinuousClock.now
    await patient.end()
    #expect(ContinuousClock.now - begin < .seconds(7))
    let plain = try await TestServer()
    #expect(try await plain.send("GET", "/login/oidc", ["Authorization": ""]).status == 404)
    #expect(!(try await plain.send("GET", "/login", ["Authorization": ""]).text.contains("oidc")))
    await plain.end()
  }
}

@Suite("A person as an issuer tells of them") struct OpenIDPersonTests {
  private static func settings(_ change: (inout OpenIDSettings) -> Void = { _ in }) throws -> OpenIDSettings {
    var settings = OpenIDSettings(issuer: try #require(OpenIDAddress("https://id.example.com")), client: "console")
    settings.roles = ["admins": .admin, "devs": .member, "all": .reader]
    settings.teams = [
      .init(group: "pay", team: "Payments", role: .reader), .init(group: "pay-leads", team: "Payments", role: .admin),
      .init(group: "maps", team: "Maps", role: .member),
    ]
    change(&settings)
    return settings
  }

  private static func person(
    _ claims: JSONValue.Object, _ change: (inout OpenIDSettings) -> Void = { _ in }
  ) throws -> OpenIDPerson {
    let settings = try settings(change)
    return try OpenIDPerson("4711", claims, groups: OpenIDPerson.groups(claims, settings.groups) ?? [], settings)
  }

  @Test("has the role of their groups that may most, and is in no team without its group")
  func roles() throws {
    let person = try Self.person(["groups": ["all", "devs", "strangers", "pay", "pay-leads", 1]])
    #expect(person.subject == "https://id.example.com 4711" && person.role == .member)
    #expect(person.memberships == [.init(team: "Payments", role: .admin), .init(team: "Maps", role: nil)])
    #expect(try Self.person([:]).role == nil)
    #expect(try Self.person([:]) { $0.usual = .reader }.role == .reader)
    #expect(try Self.person(["groups": "admins"]).role == .admin)
    #expect(try Self.person(["groups": ["admins": true]]).role == nil)
    // A group whose name only looks the same is another one: the sign of Kelvin, a combined accent.
    let looks: JSONValue.Object = ["groups": ["\u{212a}", "e\u{301}"]]
    #expect(try Self.person(looks) { $0.roles = ["K": .owner, "\u{e9}": .owner] }.role == nil)
    let nested: JSONValue.Object = ["realm_access": ["roles": ["admins"]]]
    #expect(try Self.person(nested) { $0.groups = "realm_access.roles" }.role == .admin)
    let named: JSONValue.Object = ["https://example.com/groups": ["admins"]]
    #expect(try Self.person(named) { $0.groups = "https://example.com/groups" }.role == .admin)
  }

  @Test("is let in by the domain of a verified address, where that is asked for")
  func domains() throws {
    func isLetIn(_ claims: JSONValue.Object) throws -> Bool {
      do {
        _ = try Self.person(claims) { $0.domains = ["example.com"] }
        return true
      } catch let error as ServerError {
        #expect(error.code == .openIDDomain)
        return false
      }
    }
    #expect(try isLetIn(["email": "a@example.com", "email_verified": true]))
    #expect(try isLetIn(["email": "a@EXAMPLE.com", "email_verified": "true"]))
    for claims: JSONValue.Object in [
      [:], ["email": "a@example.com"], ["email": "a@example.com", "email_verified": false],
      ["email": "a@evil.example.com", "email_verified": true], ["email": "a@example.com.evil", "email_verified": true],
      ["email": "a@evil@example.com", "email_verified": true], ["email": "example.com", "email_verified": true],
      ["email": ["a@example.com"], "email_verified": true], ["email": "a@example.com", "email_verified": 1],
    ] {
      #expect(try !isLetIn(claims), "\(claims)")
    }
  }

  @Test("has names that accounts may have, of which one is always free")
  func names() throws {
    let person = try Self.person(["preferred_username": "ann", "email": "ann@example.com"])
    #expect(person.names.prefix(2) == ["ann", "ann@example.com"] && person.names.count == 4)
    let chinese = try Self.person(["preferred_username": "李雷"])
    #expect(chinese.names.count == 2 && chinese.names.allSatisfy(PeopleStore.isName))
    let long = try Self.person(["preferred_username": .string(String(repeating: "a", count: 101))])
    #expect(long.names.count == 2 && Set(long.names + person.names).count == 5)
  }
}

@Suite("A login under way") struct LoginStateTests {
  @Test("is kept by the browser, which cannot read or change it, for ten minutes")
  func sealed() throws {
    let key = LoginStateTests.key(1)
    let login = LoginState(redirect: "https://console.example.com/login/oidc/callback", at: 1000)
    let text = try #require(login.sealed(key))
    #expect(LoginState(text, key, at: 1000) == login && LoginState(text, key, at: 1599) == login)
    #expect(LoginState(text, key, at: 1600) == nil && LoginState(text, key, at: 900) == nil)
    #expect(LoginState(text, LoginStateTests.key(2), at: 1000) == nil)
    #expect(!text.contains(login.state) && text != login.sealed(key))
    #expect(Set([login.state, login.nonce, login.verifier]).count == 3 && login.verifier.utf8.count == 43)
    let bytes = Array(text.utf8)
    for place in bytes.indices {
      var changed = bytes
      changed[place] = changed[place] == 0x41 ? 0x42 : 0x41
      #expect(LoginState(String(decoding: changed, as: UTF8.self), key, at: 1000) == nil, "\(place)")
    }
    for text in ["", "AAAA", String(repeating: "A", count: 5000)] { #expect(LoginState(text, key, at: 1000) == nil) }
  }

  @Test("tells the digest of its secret as RFC 7636 has it")
  func challenge() {
    let login = LoginState(
      state: "", nonce: "", verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", redirect: "", expires: 0)
    #expect(login.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }
}
