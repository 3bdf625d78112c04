import Foundation
import MPaaSFlags
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Flags on a server that is killed") struct FlagKillTests {
  @Test("are at a whole version, and never before one that was answered")
  func killed() async throws {
    var random = SeededRandom(seed: 7)
    let folder = try TemporaryFolder()
    var server = try ServerProcess(folder)
    var answered = 0
    for round in 1...SeededRandom.rounds(or: 4) {
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let answer = try await change(server, answered + 1).answer()
        #expect(answer.status == 201)
        answered += 1
      }
      let last = try await change(server, answered + 1)
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...4, using: &random)))
      server.end(SIGKILL)
      last.cut()
      server = try ServerProcess(folder)
      let connection = try TestConnection(server.port)
      try await connection.write(server.head("GET", FlagPaths.flags, [:], 0))
      let answer = try await connection.answer()
      let version = try #require(answer.version)
      #expect(version == answered || version == answered + 1, "round \(round)")
      // A version sets both flags to its number: a part of one would tell two numbers.
      let state = try FlagState(json: answer.text)
      #expect(state.flags.map(\.summary) == (version == 0 ? [] : ["\(version)", "\(version)"]))
      answered = version
    }
    #expect(server.end() == 0)
  }

  /// Asks for the version of a number, without waiting for the answer.
  private func change(_ server: ServerProcess, _ number: Int) async throws -> TestConnection {
    let events = ["a", "b"].map { name in
      #"{"type":"feature-updated","feature":{"name":"\#(name)","enabled":true,"description":"\#(number)"}}"#
    }
    let body = Array(FlagChangeRequest(.events("[\(events.joined(separator: ","))]")).json.utf8)
    let connection = try TestConnection(server.port)
    try await connection.write(server.head("POST", FlagPaths.changes, [:], body.count) + body)
    return connection
  }
}
