import Foundation
import MPaaSProtocol
import MPaaSPush
import MPaaSPushServing
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Campaigns of a server that is killed") struct CampaignKillTests {
  @Test("ask each installation once at most, whenever that is, and account for all of them")
  func killed() async throws {
    var random = SeededRandom(seed: 25)
    let (count, rounds) = (1500, SeededRandom.rounds(or: 20))
    let bench = try await CampaignBench(tokens: 0..<count) {
      $0.behavior.latency = 2
      $0.behavior.every = [.serviceUnavailable: 333]
    }
    let folder = try TemporaryFolder()
    let enrolling = try await TestServer(in: folder)
    try await enrolling.enroll(0..<(count + 50))
    await enrolling.end()
    var kills = 0
    var campaign = 0
    while kills < rounds {
      campaign += 1
      let id = "c\(campaign)"
      let before = bench.asked.all.count
      var server = try ServerProcess(folder) { $0.push = bench.keys }
      let body = try CampaignBench.campaign(id, ["rate": Int.random(in: 500...4000, using: &random)])
      // The answer may not come: the same once more makes no second one.
      _ = try? await server.campaign("POST", "", body)
      var isDone = false
      while !isDone {
        if kills < rounds, Int.random(in: 0..<8, using: &random) > 0 {
          try await Task.sleep(for: .milliseconds(Int.random(in: 0...350, using: &random)))
          server.end(SIGKILL)
          kills += 1
          server = try ServerProcess(folder) { $0.push = bench.keys }
          _ = try await server.campaign("POST", "", body)
        }
        let detail = try await server.campaign("GET", "/\(id)", [])
        isDone = detail["state"] as? String == "done"
        if kills >= rounds, !isDone { try await Task.sleep(for: .milliseconds(50)) }
      }
      let entry = try await server.campaign("GET", "/\(id)", [])
      let counts = try #require(entry["counts"] as? [String: Int])
      #expect(server.end() == 0)
      let asked = bench.asked.all.dropFirst(before)
      let accepted = asked.filter { $0.status == 200 }.map(\.path)
      #expect(Set(accepted).count == accepted.count, "\(id) asked somebody twice")
      // Whom the double has answered for good it is not asked for again, whatever the answer was.
      let final = asked.filter { $0.status != 503 }.map(\.path)
      #expect(Set(final).count == final.count, "\(id) repeated an answer")
      let known = ["accepted", "failed", "unknown"].map { counts[$0] ?? -1 }
      #expect(known.reduce(0, +) == counts["audience"] && counts["waiting"] == 0 && counts["claimed"] == 0)
      #expect(counts["accepted"] ?? 0 <= accepted.count && accepted.count <= known[0] + known[2])
    }
    await bench.double.close()
  }
}

extension ServerProcess {
  /// Asks about campaigns; the campaign's members.
  fileprivate func campaign(_ method: String, _ path: String, _ body: [UInt8]) async throws -> [String: Any] {
    let head =
      "\(method) \(ServerPaths.pushCampaigns)\(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
      + "Authorization: Bearer \(token)\r\nContent-Length: \(body.count)\r\n\r\n"
    let answer = try await TestConnection(port).exchange(Array(head.utf8) + body)
    try #require((200...201).contains(answer.status), "\(answer.text)")
    return answer.json["campaign"] as? [String: Any] ?? answer.json
  }
}
