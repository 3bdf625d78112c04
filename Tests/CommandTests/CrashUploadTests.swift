import Foundation
import MPaaSTestSupport
import Testing

@Suite("mpaas crash upload and watch", .fixtures) struct CrashUploadTests {
  static let fixture = "crash/apple/sym_AppleJson.ips"
  static func report() throws -> Data { try Fixture.data(fixture) }

  @Test("a report is stored and grouped; sent twice, it is there once")
  func upload() throws {
    let it = try ServedLogs()
    let path = try Fixture.path(Self.fixture)
    let first = try it.command("crash", "upload", path, "--json")
    #expect(first.status == 0, "\(first.errors)")
    let row = try #require((try json(first.output)["reports"] as? [[String: Any]])?.first)
    #expect(row["duplicate"] as? Bool == false && row["group"] as? String != nil)
    let second = try json(try it.command("crash", "upload", path, "--json").output)
    #expect((second["reports"] as? [[String: Any]])?.first?["duplicate"] as? Bool == true)
    let stored = try it.get("/api/v1/crashes")
    #expect((stored["crashes"] as? [Any])?.count == 1)
  }

  @Test("what is no report is refused by the server, and the others go")
  func mixed() throws {
    let it = try ServedLogs()
    let folder = it.home.url.appending(path: "reports")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.report().write(to: folder.appending(path: "a.ips"))
    try Data("no report".utf8).write(to: folder.appending(path: "b.ips"))
    let outcome = try it.command("crash", "upload", folder.path, "--json")
    #expect(outcome.status != 0)
    let rows = try #require(try json(outcome.output)["reports"] as? [[String: Any]])
    #expect(rows.map { $0["error"] == nil } == [true, false])
  }

  @Test("a watched folder's reports go out once each, over restarts of both ends")
  func watch() throws {
    let it = try ServedLogs()
    let folder = it.home.url.appending(path: "reports")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = String(decoding: try Self.report(), as: UTF8.self)
    func write(_ name: String) throws {
      // Another report of the same crash: its content differs.
      try Data((text + String(repeating: "\n", count: name.count)).utf8).write(to: folder.appending(path: name))
    }
    func watcher() throws -> RunningProgram {
      try RunningProgram(
        Command.products.appending(path: "mpaas").path,
        ["crash", "watch", folder.path, "--every", "20ms", "--json"],
        environment: it.environment.merging(["MPAAS_HOME": it.home.path, "LC_ALL": "C"]) { $1 })
    }
    try write("a.ips")
    let first = try watcher()
    #expect(try json(first.line)["path"] as? String == folder.path + "/a.ips")
    _ = first.end(SIGKILL)
    try it.killAndRestart()
    try write("bb.ips")
    let second = try watcher()
    #expect(try json(second.line)["path"] as? String == folder.path + "/bb.ips")
    #expect(second.end(SIGTERM) == 0)
    let once = try it.command("crash", "watch", folder.path, "--once", "--json")
    #expect(once.status == 0 && once.output.isEmpty)
  }

  @Test("where the server is away, the report is tried again, and the end says so")
  func away() throws {
    let path = try Fixture.path(Self.fixture)
    let outcome = try mpaas(
      ["crash", "upload", path, "--attempts", "2", "--json"], environment: ["MPAAS_SERVER_URL": "http://127.0.0.1:1"])
    #expect(outcome.status == 69)
    let missing = try mpaas(["crash", "upload", "/nowhere"], environment: ["MPAAS_SERVER_URL": "http://127.0.0.1:1"])
    #expect(missing.status == 66)
  }
}
