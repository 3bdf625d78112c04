import Foundation
import MPaaSDatabaseTestSupport
import MPaaSProtocol
import MPaaSTestSupport
import Testing

@testable import MPaaSServer

@Suite("A console over PostgreSQL", .postgres) struct PostgresServerTests {
  @Test("has what it took after a restart, each thing once")
  func restart() async throws {
    let database = try #require(PostgresServer.shared).database()
    let folder = try TemporaryFolder()
    let first = try await TestServer(in: folder) { $0.database = database }
    for user in ["u1", "u2", "u1"] { try await first.send(error: "KeyError", release: "shop@8.1.0+1", user: user) }
    let event = "{\"event_id\":\"\(String(repeating: "a", count: 32))\",\"message\":\"支付\\u0000 failed\"}"
    for _ in 0..<2 { #expect(try await first.envelope(event, key: nil).status == 200) }
    #expect(try await first.issues("paid OR 支付").count == 1)
    await first.end()
    let second = try await TestServer(in: folder) { $0.database = database }
    let issues = try await second.issues("", sort: "count")
    #expect(issues.compactMap { $0["count"] as? Int } == [3, 1])
    #expect(issues.first?["users"] as? Int == 2)
    #expect(try await second.issues("KEYERROR release:[SHOP@8.1.*]").count == 1)
    let id = try #require(issues.first?["id"] as? String)
    #expect(try await second.changeIssue(id, "{\"state\":\"resolved\"}").status == 200)
    #expect(try await second.issues("is:resolved").count == 1)
    await second.end()
  }

  @Test("answers 503 while the database is away, and goes on when it is back")
  func away() async throws {
    let postgres = try PostgresServer()
    let database = try postgres.database()
    let server = try await TestServer { $0.database = database }
    try await server.send(error: "KeyError")
    #expect(try await server.send("GET", "/readyz").status == 200)
    postgres.stop()
    let refused = try await server.envelope("{\"message\":\"lost\"}", key: nil)
    #expect(refused.status == 503 && refused.headers["retry-after"] == "1")
    #expect(refused.json["code"] as? String == "server-database-away")
    #expect(try await server.send("GET", "/readyz").status == 503)
    #expect(try await server.send("GET", "/livez").status == 200)
    try postgres.start()
    while try await server.send("GET", "/readyz").status != 200 { try await Task.sleep(for: .milliseconds(50)) }
    while try await server.envelope("{\"message\":\"kept\"}", key: nil).status != 200 {
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(try await server.issues().count == 2)
    await server.end()
    postgres.stop()
  }

  @Test("does not begin where the tables are of a newer version, and changes nothing")
  func newer() async throws {
    let postgres = try #require(PostgresServer.shared)
    let database = try postgres.database()
    let folder = try TemporaryFolder()
    await (try TestServer(in: folder) { $0.database = database }).end()
    let name = try #require(database.split(separator: "/").last?.split(separator: "?").first)
    try postgres.run("UPDATE mpaas_schema SET version = version + 1", in: String(name))
    var configuration = ServerConfiguration(data: folder.path + "/data", listen: "127.0.0.1:0")
    configuration.database = database
    let words = String(decoding: try JSONEncoder().encode(configuration), as: UTF8.self)
    let outcome = try await TestConnection.elsewhere {
      try Command.run(Command.server.path, ["--configuration", words])
    }
    #expect(outcome.status == 78 && outcome.errors.contains("newer release"), "\(outcome.errors)")
  }
}
