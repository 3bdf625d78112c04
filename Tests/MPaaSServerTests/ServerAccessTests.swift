import Foundation
import MPaaSProtocol
import MPaaSTestSupport
import Synchronization
import Testing

@testable import MPaaSServer

@Suite("Access to the server") struct ServerAccessTests {
  @Test("a token permits its scopes until it expires, and only its hash is stored", .inFile)
  func tokens() async throws {
    let time = Time(1_000_000)
    let server = try await TestServer(time: time)
    let access = server.services.access
    let (token, grant) = try await access.issue("phone", [.ingest], app: "a", lifetime: 60)
    #expect(try await access.grant(for: token) == grant)
    #expect(grant.permits(.ingest))
    #expect(!grant.permits(.read))
    #expect(try await access.grant(for: token + "x") == nil)
    let bytes = try Data(contentsOf: URL(filePath: server.folder.path + "/data/mpaas.sqlite-wal"))
    #expect(bytes.range(of: Data(token.utf8)) == nil)
    time.now += 61
    #expect(try await access.grant(for: token) == nil)
    await server.end()
  }

  @Test("tokens of earlier starts go on, the app key stays, and a revoked token ends")
  func restart() async throws {
    let first = try await TestServer()
    let (token, key) = (first.token, first.run.ready.appKey)
    await first.end()
    let second = try await TestServer(in: first.folder)
    #expect(second.run.ready.appKey == key)
    #expect(second.token != token)
    let grant = try #require(try await second.services.access.grant(for: token))
    #expect(try await second.services.access.revoke(grant.id))
    #expect(try await second.services.access.grant(for: token) == nil)
    await second.end()
  }

  @Test("an administrator makes tokens for one app, and one of an app makes them for that alone")
  func ofApp() async throws {
    let server = try await TestServer()
    let key = server.run.ready.appKey
    func make(_ app: String?, as token: String? = nil) async throws -> TestAnswer {
      let wish = TokenWish(name: "t", scopes: ["read", "admin"], app: app)
      return try await server.send(
        "POST", ConsolePaths.tokens, token.map { ["Authorization": "Bearer \($0)"] } ?? [:],
        body: Array(try JSONEncoder().encode(wish)))
    }
    let made = try await make("default")
    #expect(made.status == 201 && made.json["app"] as? String == key)
    let token = try #require(made.json["token"] as? String)
    #expect(try await server.services.access.grant(for: token)?.app == key)
    #expect(try await make(key).json["app"] as? String == key)
    #expect(try await make("nobody's").status == 400)
    #expect(try await make(nil).json["app"] == nil)
    #expect(try await make(nil, as: token).json["app"] as? String == key)
    let other = try await server.services.access.issue("other", [.admin], app: "other", lifetime: 60).token
    #expect(try await make(key, as: other).status == 400)
    await server.end()
  }

  @Test("what is refused is counted, also over a restart")
  func counts() async throws {
    let first = try await TestServer()
    let answer = try await first.send("GET", "/nowhere")
    #expect(answer.status == 404)
    #expect(answer.json["code"] as? String == "server-not-found")
    await first.end()
    let second = try await TestServer(in: first.folder)
    #expect(second.services.counts["refused.server-not-found"] == 1)
    await second.end()
  }
}

/// A clock that a test sets.
final class Time: Sendable {
  private let value: Mutex<Double>

  init(_ value: Double) { self.value = Mutex(value) }

  var now: Double {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
