import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Our client and our server") struct ClientAndServerTests {
  @Test("a file arrives whole and once, whichever of the two is killed while it is sent", .inFile)
  func killed() async throws {
    var random = SeededRandom(seed: 7)
    let folder = try TemporaryFolder()
    var server = try ServerProcess(folder)
    let (address, port, token) = (server.ready.uploads, server.port, server.token)
    for round in 0..<SeededRandom.rounds(or: 4) {
      let bytes = Sample.bytes(3_000_000, seed: UInt64(round + 1))
      let file = folder.path + "/file-\(round)"
      try Data(bytes).write(to: URL(filePath: file))
      var kills = Int.random(in: 1...3, using: &random)
      while true {
        let client = Process()
        client.executableURL = Command.products.appending(path: "TransferSubject")
        client.arguments = [folder.path + "/queue", "tus", address, file, "batch-\(round)", "200000"]
        client.environment = ["MPAAS_TOKEN": token]
        client.standardInput = FileHandle.nullDevice
        client.standardOutput = FileHandle.nullDevice
        let process = client
        try withNoSignalsBlocked { try process.run() }
        if kills > 0 {
          kills -= 1
          try await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &random)))
          if Bool.random(using: &random) {
            kill(client.processIdentifier, SIGKILL)
          } else {
            server.end(SIGKILL)
            server = try ServerProcess(folder) { $0.listen = "127.0.0.1:\(port)" }
          }
        }
        client.waitUntilExit()
        if client.terminationReason == .exit {
          #expect(client.terminationStatus == 0)
          break
        }
      }
      let database = try DatabaseAddress(folder.path + "/data/mpaas.sqlite").open(.readOnly)
      let found = try database.rows(
        "SELECT id FROM uploads WHERE state = 'whole' AND blob = ?", [.text(Sample.sha256(bytes).hexadecimal)]
      ) { $0.text(0) }
      #expect(found.count == 1)
      #expect(try await server.tus("GET", "/uploads/\(found.first ?? "")").body == bytes)
    }
    #expect(server.end() == 0)
  }

  @Test("TLS by files: the certificate is shown, and plain HTTP gets no answer", .tool("openssl"), .tool("curl"))
  func encrypted() async throws {
    let folder = try TemporaryFolder()
    let (certificate, key) = (folder.path + "/certificate.pem", folder.path + "/key.pem")
    let made = try Command.run(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
      ])
    try #require(made.status == 0)
    let server = try ServerProcess(folder) {
      $0.certificate = certificate
      $0.privateKey = key
    }
    #expect(server.ready.url.hasPrefix("https://"))
    let known = try Command.run("curl", ["-sS", "--cacert", certificate, server.ready.url + "/health"])
    #expect(known.status == 0)
    let unknown = try Command.run("curl", ["-sS", server.ready.url + "/health"])
    #expect(unknown.status == 60)
    let plain = try Command.run("curl", ["-sS", "http://127.0.0.1:\(server.port)/health"])
    #expect(plain.status != 0)
    #expect(server.end() == 0)
  }

  @Test("five hundred connections that send a byte now and then keep nobody else from being answered")
  func slow() async throws {
    // Another process, so that the connections of either end count for it alone.
    let folder = try TemporaryFolder()
    let server = try ServerProcess(folder)
    var connections: [TestConnection] = []
    for number in 0..<500 {
      let connection = try TestConnection(server.port)
      // One half of them in the head, the other in the body.
      let body = number % 2 == 0 ? "X-Slow: " : "Content-Length: 1000\r\n\r\n"
      try await connection.write(Array("PATCH /uploads/\(number) HTTP/1.1\r\nHost: a\r\n\(body)".utf8))
      connections.append(connection)
    }
    let bytes = Sample.bytes(20_000)
    for round in 0..<10 {
      for connection in connections[(round * 50)..<(round * 50 + 50)] { try await connection.write([97]) }
      let made = try await server.tus("POST", "/uploads", ["Upload-Length": "\(bytes.count)"])
      let path = TestServer.path(made.headers["location"] ?? "")
      #expect(try await server.tus("PATCH", path, ["Upload-Offset": "0"], body: bytes).status == 204)
      #expect(try await server.tus("GET", path).body == bytes)
      #expect(try await server.tus("GET", "/health", [:]).status == 200)
    }
    // They were not answered by being closed: those that are in their heads go on.
    for connection in connections.enumerated().filter({ $0.offset % 2 == 0 }).prefix(20).map(\.element) {
      #expect(try await connection.exchange(Array("\r\n\r\n".utf8)).status == 401)
    }
    for connection in connections { connection.cut() }
    #expect(server.end() == 0)
  }

  @Test("a body that comes slower than the least rate is ended with 408, and what came is kept")
  func tooSlow() async throws {
    let server = try await TestServer { $0.limits.leastRate = 1 << 30 }
    let location = try await server.made(1_000_000)
    let connection = try TestConnection(server.port)
    try await connection.write(
      Array(
        """
        PATCH \(TestServer.path(location)) HTTP/1.1\r
        Host: a\r
        Authorization: Bearer \(server.token)\r
        Tus-Resumable: 1.0.0\r
        Content-Type: application/offset+octet-stream\r
        Upload-Offset: 0\r
        Content-Length: 1000000\r
        \r

        """.utf8))
    // The rate is asked for after five seconds; writing fails once the connection is gone.
    var sent = 0
    for _ in 0..<200 {
      guard (try? await connection.write([0])) == true else { break }
      sent += 1
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(sent < 200)
    let offset = try await server.offset(location)
    #expect((0...sent).contains(offset))
    #expect(server.services.counts["refused.server-too-slow"] == 1)
    await server.end()
  }
}
