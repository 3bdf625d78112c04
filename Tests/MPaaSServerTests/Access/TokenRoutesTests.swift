import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

extension TestServer {
  /// Asks with JSON, as somebody else where a token is named.
  func ask(
    _ method: String, _ path: String, _ body: String? = nil, as token: String? = nil
  ) async throws -> TestAnswer {
    try await send(
      method, path, token.map { ["Authorization": "Bearer \($0)"] } ?? [:], body: body.map { Array($0.utf8) })
  }

  /// Adds an app.
  func addApp(_ key: String, _ name: String) async throws {
    try await services.store.write {
      try $0.run("INSERT INTO apps VALUES (?, ?, 1e10)", [.text(key), .text(name)])
    }
    try await services.access.begin()
  }
}

@Suite("Tokens by their routes") struct TokenRoutesTests {
  @Test("the first start alone tells a token, and another where it is asked to")
  func first() async throws {
    let first = try await TestServer()
    let token = try #require(first.run.ready.token)
    await first.end()
    let second = try await TestServer(in: first.folder)
    #expect(second.run.ready.token == nil)
    #expect(try await second.services.access.grant(for: token)?.permits(.own) == true)
    await second.end()
    let third = try await TestServer(in: first.folder) { $0.makesToken = true }
    #expect(third.run.ready.token != nil && third.run.ready.token != token)
    await third.end()
  }

  @Test("are made by role or by scopes, listed without themselves, and only their hashes are stored")
  func made() async throws {
    let server = try await TestServer()
    let made = try await server.ask("POST", ConsolePaths.tokens, #"{"name":"ci","role":"member"}"#)
    #expect(made.status == 201)
    let token = try #require(made.json["token"] as? String)
    #expect(made.json["scopes"] as? [String] == ["collect", "flags", "operate", "read"])
    let list = try await server.ask("GET", ConsolePaths.tokens)
    #expect(!list.text.contains(token) && list.text.contains(#""name":"ci""#))
    for body in [#"{"name":"x"}"#, #"{"name":"x","role":"king"}"#, #"{"name":"x","role":"reader","scopes":["read"]}"#] {
      #expect(try await server.ask("POST", ConsolePaths.tokens, body).status == 400, "\(body)")
    }
    await server.end()
  }

  @Test("nobody gives more than they have, nor ends what has more")
  func bounds() async throws {
    let server = try await TestServer()
    let access = server.services.access
    let admin = try await access.issue("admin", [.admin], lifetime: 1000)
    let wish = #"{"name":"x","role":"owner"}"#
    #expect(try await server.ask("POST", ConsolePaths.tokens, wish, as: admin.token).status == 403)
    #expect(try await server.ask("POST", ConsolePaths.tokens, wish).status == 201)
    let owner = try await access.issue("owner", [.own, .admin], lifetime: 1000)
    let path = ConsolePaths.tokens + "/" + owner.grant.id
    #expect(try await server.ask("DELETE", path, as: admin.token).status == 403)
    #expect(try await server.ask("POST", path + "/rotate", "{}", as: admin.token).status == 403)
    #expect(try await server.ask("DELETE", path).status == 204)
    let reader = try await access.issue("reader", [.read], lifetime: 1000)
    #expect(try await server.ask("GET", ConsolePaths.tokens, as: reader.token).status == 403)
    await server.end()
  }

  @Test("a revoked one is refused at once, and within the time of freshness on another server of the database")
  func revoked() async throws {
    let uptime = Time(0)
    let server = try await TestServer(uptime: uptime)
    let (token, grant) = try await server.services.access.issue("x", [.read], lifetime: 1000)
    let other = Access(server.services.store, now: server.services.now, uptime: { uptime.now })
    #expect(try await other.grant(for: token) != nil)
    #expect(try await server.ask("GET", "/api/v1/crashes", as: token).status == 200)
    #expect(try await server.ask("DELETE", "\(ConsolePaths.tokens)/\(grant.id)").status == 204)
    #expect(try await server.ask("GET", "/api/v1/crashes", as: token).status == 401)
    #expect(Access.freshness < 1)
    uptime.now += Access.freshness
    #expect(other.knownGrant(for: token) == nil)
    #expect(try await other.grant(for: token) == nil)
    await server.end()
  }

  @Test("one that takes the place of another has its name and rights, and the other ends then or after its grace")
  func rotated() async throws {
    let time = Time(1_000_000)
    let server = try await TestServer(time: time)
    for (grace, isGood) in [(0.0, false), (60.0, true)] {
      let (token, grant) = try await server.services.access.issue("x", [.read], lifetime: 1000)
      let path = "\(ConsolePaths.tokens)/\(grant.id)/rotate"
      let made = try await server.ask("POST", path, #"{"grace":\#(grace)}"#)
      #expect(made.status == 201 && made.json["name"] as? String == "x")
      let fresh = try #require(made.json["token"] as? String)
      #expect(try await server.services.access.grant(for: fresh)?.scopes == [.read])
      #expect((try await server.services.access.grant(for: token) != nil) == isGood)
      time.now += 61
      #expect(try await server.services.access.grant(for: token) == nil)
    }
    #expect(try await server.ask("POST", "\(ConsolePaths.tokens)/none/rotate", "{}").status == 404)
    await server.end()
  }

  @Test("one for several apps is about the one that a request names, else about the first")
  func several() async throws {
    let server = try await TestServer()
    for (key, name) in [("bbb", "b"), ("ccc", "c"), ("ddd", "d")] { try await server.addApp(key, name) }
    for key in ["bbb", "ccc", "ddd"] { #expect(try await server.envelope(Self.event(key), key: key).status == 200) }
    let made = try await server.ask(
      "POST", ConsolePaths.tokens, #"{"name":"two","scopes":["read"],"apps":["b","ccc"]}"#)
    #expect(made.json["apps"] as? [String] == ["bbb", "ccc"])
    let token = try #require(made.json["token"] as? String)
    func titles(_ query: String) async throws -> [String] {
      let answer = try await server.ask("GET", "/api/v1/crash-groups" + query, as: token)
      return (answer.json["groups"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
    }
    #expect(try await titles("") == ["bbb: x"])
    #expect(try await titles("?app=ccc") == ["ccc: x"])
    #expect(try await titles("?app=c") == ["ccc: x"])
    #expect(try await server.ask("GET", "/api/v1/crash-groups?app=ddd", as: token).status == 403)
    await server.end()
  }

  private static func event(_ type: String) -> String {
    #"{"platform":"python","exception":{"values":[{"type":"\#(type)","value":"x"}]}}"#
  }
}
