import Foundation
import MPaaSProtocol
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("A server that is killed") struct ServerKillTests {
  @Test("has every byte that it acknowledged, and no other, whenever it is killed")
  func killed() async throws {
    var random = SeededRandom(seed: 42)
    let folder = try TemporaryFolder()
    var server = try ServerProcess(folder)
    for round in 0..<SeededRandom.rounds(or: 4) {
      let bytes = Sample.bytes(1_000_000, seed: UInt64(round + 1))
      let digest = Sample.metadata(["sha256": Sample.sha256(bytes).hexadecimal])
      let made = try await server.tus(
        "POST", "/uploads", ["Upload-Length": "\(bytes.count)", "Upload-Metadata": digest])
      let path = TestServer.path(try #require(made.headers["location"]))
      var acknowledged = 0
      var kills = Int.random(in: 1...3, using: &random)
      while acknowledged < bytes.count {
        let end = min(bytes.count, acknowledged + Int.random(in: 1...300_000, using: &random))
        let piece = Array(bytes[acknowledged..<end])
        guard kills > 0, Bool.random(using: &random) else {
          let answer = try await server.tus("PATCH", path, ["Upload-Offset": "\(acknowledged)"], body: piece)
          #expect(answer.status == 204, "\(answer.text)")
          acknowledged = try #require(Int(answer.headers["upload-offset"] ?? ""))
          continue
        }
        kills -= 1
        let connection = try TestConnection(server.port)
        let sent = Int.random(in: 0...piece.count, using: &random)
        try await connection.write(
          server.head("PATCH", path, ["Upload-Offset": "\(acknowledged)"], piece.count) + piece.prefix(sent))
        if Bool.random(using: &random) {
          try await Task.sleep(for: .milliseconds(Int.random(in: 0...20, using: &random)))
        }
        server.end(SIGKILL)
        server = try ServerProcess(folder)
        let offset = Int(try await server.tus("HEAD", path).headers["upload-offset"] ?? "") ?? -1
        #expect(offset >= acknowledged)
        #expect(offset <= acknowledged + sent)
        acknowledged = max(offset, 0)
      }
      // The digest that came with it was compared; it is read back all the same.
      let whole = try await server.tus("GET", path)
      #expect(whole.body == bytes)
    }
    #expect(server.end() == 0)
  }

  @Test("is ready again with the same app key, and a second one on the folder is refused")
  func again() throws {
    let folder = try TemporaryFolder()
    let first = try ServerProcess(folder)
    #expect(throws: (any Error).self) { try ServerProcess(folder) }
    let key = first.ready.appKey
    first.end(SIGKILL)
    let second = try ServerProcess(folder)
    #expect(second.ready.appKey == key)
    #expect(second.end() == 0)
  }
}
