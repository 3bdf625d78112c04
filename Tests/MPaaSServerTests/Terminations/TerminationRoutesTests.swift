import Foundation
import MPaaSDatabase
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("Ends of runs at the server") struct TerminationRoutesTests {
  private func post(
    _ server: TestServer, _ id: String, _ version: String, _ reason: String, time: Double
  ) async throws -> Int {
    let report = TerminationReport(id: id, app: "shop", version: version, reason: reason, time: time)
    return try await server.send(
      "POST", ServerPaths.terminations, body: Array(try JSONEncoder().encode(report))
    ).status
  }

  private func rows(_ server: TestServer, _ query: String = "") async throws -> [String: Int] {
    let rows = try await server.list("/api/v1/terminations" + query, "terminations")
    return Dictionary(
      rows.map { ("\($0["version"] as? String ?? "") \($0["reason"] as? String ?? "")", $0["count"] as? Int ?? 0) },
      uniquingKeysWith: +)
  }

  @Test("count once each by version and reason, whatever an app says that it is")
  func counts() async throws {
    let server = try await TestServer()
    let now = Date().timeIntervalSince1970
    #expect(try await post(server, "1", "2.1", "hang", time: now) == 201)
    #expect(try await post(server, "1", "2.1", "hang", time: now) == 200)
    #expect(try await post(server, "2", "2.1", "hang", time: now) == 201)
    #expect(try await post(server, "3", "2.2", "out-of-memory", time: now - 10 * 86_400) == 201)
    #expect(try await post(server, "4", "2.2", "bored", time: 1e300) == 201)
    #expect(try await post(server, "", "2.2", "exit", time: now) == 400)
    #expect(try await post(server, "5", "", "exit", time: now) == 400)
    #expect(try await rows(server) == ["2.1 hang": 2, "2.2 out-of-memory": 1, "2.2 other": 1])
    #expect(try await rows(server, "?days=3") == ["2.1 hang": 2, "2.2 other": 1])
    let body = Array(#"{"id":"6"}"#.utf8)
    #expect(try await server.send("POST", ServerPaths.terminations, body: body).status == 400)
    await server.end()
  }

  @Test("have a page with a row for each version, and nothing of the versions' texts is markup")
  func page() async throws {
    let server = try await TestServer()
    let key = server.run.ready.appKey
    let path = "/apps/\(key)/terminations"
    let empty = try await server.send("GET", path)
    #expect(empty.status == 200 && empty.text.contains("No app has told"))
    #expect(try await post(server, "1", "<b>2.1", "hang", time: Date().timeIntervalSince1970) == 201)
    let page = try await server.send("GET", path)
    #expect(page.status == 200 && page.text.contains("&lt;b&gt;2.1") && page.text.contains("Hang, then killed"))
    #expect(!page.text.contains("Power loss"))
    #expect(try await server.send("GET", "/apps/none/terminations").status == 404)
    await server.end()
  }

  @Test("are freed after 400 days, and their names after 31")
  func freed() async throws {
    let server = try await TestServer(isTidied: false)
    let now = Date().timeIntervalSince1970
    #expect(try await post(server, "1", "1.0", "exit", time: now) == 201)
    func numbers() async throws -> [Int64] {
      try await server.services.store.read { database in
        try ["termination_days", "termination_reports"].map { table in
          try database.row("SELECT count(*) FROM \(table)") { $0.integer(0) } ?? -1
        }
      }
    }
    try await server.services.store.write { try TerminationCounts.free(at: now + 40 * 86_400, in: $0) }
    #expect(try await numbers() == [1, 0])
    try await server.services.store.write { try TerminationCounts.free(at: now + 402 * 86_400, in: $0) }
    #expect(try await numbers() == [0, 0])
    await server.end()
  }
}
