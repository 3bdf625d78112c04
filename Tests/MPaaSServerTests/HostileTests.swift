import Foundation
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

/// The small form of `scripts/bench/strangers`.
@Suite("Hostile connections, twenty of each kind") struct HostileTests {
  private static let count = 20

  @Test("are all ended, while others are answered and lose nothing", .timeLimit(.minutes(10)))
  func plain() async throws {
    // The file that is read is put there by a server that is more patient.
    let before = try await TestServer()
    let bytes = [UInt8](repeating: 7, count: 16 << 20)
    let location = try await before.made(bytes.count)
    #expect(try await before.tus("PATCH", location, ["Upload-Offset": "0"], body: bytes).status == 204)
    await before.end()
    let server = try await TestServer(in: before.folder) { $0.limits.idle = 5 }
    let key = server.run.ready.appKey
    let heads: [(first: [UInt8], again: [UInt8])] = [
      (Array("GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: ".utf8), [0x61]),
      (StrangerRequest.head("POST /api/1/envelope/?sentry_key=\(key)", ["Content-Length: 20000000"]), [0x20]),
      (
        StrangerRequest.head("GET \(TestServer.path(location))", ["Authorization: Bearer \(server.token)"]), []
      ),
      ([], []),
    ]
    let hostile = try heads.flatMap { kind in
      try (0..<Self.count).map { _ in (connection: try TestConnection(server.port), kind: kind) }
    }
    for one in hostile where !one.kind.first.isEmpty { try await one.connection.write(one.kind.first) }
    while server.services.connections.opened < hostile.count { try await Task.sleep(for: .milliseconds(5)) }
    var sent = 0
    while server.services.connections.count > 0, sent < 600 {
      for one in hostile where !one.kind.again.isEmpty { try await one.connection.write(one.kind.again) }
      // A request that a busy machine holds up for five seconds is idle, too: it comes again.
      while (try? await server.send("GET", "/livez", ["Authorization": ""]).status) != 200 {}
      if try await post(server, sent) { sent += 1 }
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(server.services.connections.count == 0)
    #expect(server.services.counts["accepted.alive"] == Int64(sent))
    #expect(server.services.budget.held == 0)
    await server.end()
  }

  @Test("that stop within their TLS handshake are ended", .timeLimit(.minutes(10)), .tool("openssl"))
  func encrypted() async throws {
    let folder = try TemporaryFolder()
    let (certificate, key) = (folder.path + "/certificate.pem", folder.path + "/key.pem")
    let made = try Command.run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
        "/CN=127.0.0.1", "-keyout", key, "-out", certificate,
      ])
    try #require(made.status == 0)
    let server = try await TestServer {
      $0.limits.idle = 2
      $0.certificate = certificate
      $0.privateKey = key
    }
    let hostile = try (0..<Self.count).map { _ in try TestConnection(server.port) }
    for connection in hostile {
      // A ClientHello of which only the beginning comes.
      try await connection.write([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])
    }
    while server.services.connections.opened < hostile.count { try await Task.sleep(for: .milliseconds(5)) }
    while server.services.connections.count > 0 { try await Task.sleep(for: .milliseconds(20)) }
    await server.end()
  }

  /// Posts an alive report; says whether it was acknowledged.
  private func post(_ server: TestServer, _ number: Int) async throws -> Bool {
    let body = #"{"id":"r\#(number)","app":"a","version":"1","device":"d","time":1}"#
    return try await server.send("POST", "/api/v1/alive", body: Array(body.utf8)).status == 201
  }
}
