import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Secrets of devices") struct DeviceSecretTests {
  private static let mine = String(repeating: "a", count: 64)
  private static let theirs = String(repeating: "b", count: 64)

  /// Asks with the app's key, which everybody has, and a secret.
  private func ask(
    _ server: TestServer, _ method: String, _ path: String, _ secret: String?, _ body: String? = nil
  ) async throws -> TestAnswer {
    var headers = ["Authorization": "Bearer \(server.run.ready.appKey)"]
    headers[DeviceSecret.field] = secret
    return try await server.send(method, path, headers, body: body.map { Array($0.utf8) })
  }

  private func tasks(
    _ server: TestServer, _ device: String, _ secret: String?
  ) async throws -> (status: Int, ids: [String]) {
    let answer = try await ask(server, "GET", "/api/v1/tasks?user=u&device=\(device)", secret)
    return (answer.status, (answer.json["tasks"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String })
  }

  private func wish(_ server: TestServer, _ wish: String = #"{"user":"u","from":0,"to":10}"#) async throws -> String {
    try #require(try await server.ask(wish).json["id"] as? String)
  }

  @Test("a task is for the devices that were the user's when it was made, and for no stranger with the app's key")
  func stranger() async throws {
    let time = Time(1000)
    let server = try await TestServer(time: time)
    #expect(try await tasks(server, "d1", Self.mine).status == 200)
    time.now += 1
    let id = try await wish(server)
    time.now += 1
    #expect(try await tasks(server, "d1", Self.mine).ids == [id])
    #expect(try await tasks(server, "d2", Self.theirs).ids == [])
    #expect(try await tasks(server, "d1", Self.theirs).status == 403)
    #expect(try await tasks(server, "d1", nil).status == 403)
    for secret in [Self.theirs, nil] {
      let path = "/api/v1/tasks/\(id)"
      #expect(try await ask(server, "GET", path, secret).status == 403)
      for state in ["picked", "failed", "done"] {
        let body = #"{"state":"\#(state)","device":"d1"}"#
        let answer = try await ask(server, "PATCH", path, secret, body)
        #expect(answer.status == 403 && answer.json["code"] as? String == "collection-device-secret")
      }
    }
    let picked = #"{"state":"picked","device":"d1"}"#
    #expect(try await ask(server, "PATCH", "/api/v1/tasks/\(id)", Self.mine, picked).status == 200)
    await server.end()
  }

  @Test("who has picked a task up alone goes on with it, also by an upload that names it")
  func picked() async throws {
    let server = try await TestServer()
    let id = try await wish(server)
    // Of a user without devices the first that comes takes it.
    #expect(try await tasks(server, "d1", Self.mine).ids == [id])
    let path = "/api/v1/tasks/\(id)"
    #expect(try await ask(server, "PATCH", path, Self.mine, #"{"state":"picked","device":"d1"}"#).status == 200)
    #expect(try await tasks(server, "d2", Self.theirs).ids == [])
    #expect(try await ask(server, "PATCH", path, Self.theirs, #"{"state":"failed","device":"d1"}"#).status == 403)
    #expect(try await server.put([1, 2, 3, 4], metadata: ["kind": "log", "task": id, "device": "d1"]) == 204)
    let picked = try #require(try await server.tasks().first)
    #expect(picked.state == .picked)
    let upload = try #require(
      try await server.services.store.read { try $0.row("SELECT id FROM uploads") { $0.text(0) } })
    let done = #"{"state":"done","upload":"\#(upload)","device":"d1"}"#
    #expect(try await ask(server, "PATCH", path, Self.mine, done).status == 200)
    #expect(try await server.tasks().first?.state == .done)
    await server.end()
  }

  @Test("a task that names a device is for that one, whenever it came")
  func named() async throws {
    let server = try await TestServer()
    let id = try await wish(server, #"{"user":"u","device":"d1","from":0,"to":10}"#)
    #expect(try await tasks(server, "d2", Self.theirs).ids == [])
    #expect(try await tasks(server, "d1", Self.mine).ids == [id])
    await server.end()
  }

  @Test("apps without secrets get the tasks of users of whom no device has one, unless secrets are needed")
  func legacy() async throws {
    let server = try await TestServer()
    let id = try await wish(server)
    #expect(try await tasks(server, "d1", nil).ids == [id])
    let picked = #"{"state":"picked","device":"d1"}"#
    #expect(try await ask(server, "PATCH", "/api/v1/tasks/\(id)", nil, picked).status == 200)
    #expect(try await server.put([1, 2, 3, 4], metadata: ["kind": "log", "task": id, "device": "d1"]) == 204)
    #expect(try await server.tasks().first?.state == .done)
    await server.end()
    let strict = try await TestServer { $0.needsDeviceSecrets = true }
    #expect(try await tasks(strict, "d1", nil).status == 403)
    #expect(try await tasks(strict, "d1", Self.mine).status == 200)
    #expect(try await tasks(strict, "d1", "short").status == 400)
    await strict.end()
  }

  @Test("a device that has lost its secret gets another one once an operator has forgotten the first", .inFile)
  func lost() async throws {
    let server = try await TestServer()
    #expect(try await tasks(server, "d1", Self.mine).status == 200)
    #expect(try await tasks(server, "d1", Self.theirs).status == 403)
    #expect(try await ask(server, "DELETE", "/api/v1/device-secrets?device=d1", Self.theirs).status == 403)
    #expect(try await server.send("DELETE", "/api/v1/device-secrets?device=d1").status == 204)
    #expect(try await tasks(server, "d1", Self.theirs).status == 200)
    #expect(try await server.send("DELETE", "/api/v1/device-secrets?device=d9").status == 404)
    let bytes = try Data(contentsOf: URL(filePath: server.folder.path + "/data/mpaas.sqlite-wal"))
    #expect(bytes.range(of: Data(Self.theirs.utf8)) == nil)
    await server.end()
  }
}
