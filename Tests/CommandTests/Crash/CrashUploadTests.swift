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
    #expect(row["duplicate"] as? Bool == false)
    #expect(row["group"] as? String != nil)
    let second = try json(try it.command("crash", "upload", path, "--json").output)
    #expect((second["reports"] as? [[String: Any]])?.first?["duplicate"] as? Bool == true)
    let stored = try it.get("/api/v1/crashes")
    #expect((stored["crashes"] as? [Any])?.count == 1)
  }

  @Test("a core, and what else is no report, is refused before a byte of it is sent", .tool("python3"))
  func core() throws {
    let server = try LoopbackServer { _, _ in LoopbackServer.answer("201 Created") }
    let home = try TemporaryFolder()
    let elf: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 62, 0]
    let machO: [UInt8] = [0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0]
    for (name, bytes, code) in [
      ("core", elf, "crash-upload-core"), ("core.macho", machO, "crash-upload-core"),
      ("program", elf.prefix(16) + [2, 0, 62, 0], "crash-upload-unknown"), ("text", [65, 10], "crash-upload-unknown"),
    ] {
      let path = home.path + "/" + name
      try (Data(bytes) + Data(count: 100_000)).write(to: URL(filePath: path))
      let outcome = try Command.run(
        "mpaas", ["crash", "upload", path, "--server", server.url, "--json"],
        environment: ["MPAAS_HOME": home.path + "/home", "no_proxy": "127.0.0.1"])
      #expect(outcome.status == 65, "\(name): \(outcome.errors)")
      #expect(outcome.errors.contains(code), "\(name): \(outcome.errors)")
    }
    #expect(server.requests.isEmpty)
  }

  @Test("what is no report is refused, and the others go")
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
        Command.mpaas.path,
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
    #expect(once.status == 0)
    #expect(once.output.isEmpty)
  }

  @Test("where the server is away, the report is tried again, and the end says so")
  func away() throws {
    let path = try Fixture.path(Self.fixture)
    let outcome = try mpaas(
      ["crash", "upload", path, "--attempts", "2", "--json"], environment: ["MPAAS_SERVER_URL": "http://127.0.0.1:1"])
    #expect(outcome.status == 69)
    let row = try #require((try json(outcome.output)["reports"] as? [[String: Any]])?.first)
    #expect(row["state"] as? String == "waiting")
    #expect(row["error"] as? String == "server-unreachable")
    let missing = try mpaas(["crash", "upload", "/nowhere"], environment: ["MPAAS_SERVER_URL": "http://127.0.0.1:1"])
    #expect(missing.status == 66)
  }

  /// Reports of the same crash whose contents differ.
  static func reports(_ count: Int, in folder: URL) throws -> [String] {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let text = String(decoding: try report(), as: UTF8.self)
    return try (0..<count).map { number in
      let file = folder.appending(path: "\(number).ips")
      let incident = "00000000-0000-0000-0000-\(String(100_000_000_000 + number))"
      try Data(text.replacing("4904A8AF-6173-4A1B-B354-0A9C4FB1F673", with: incident).utf8).write(to: file)
      return file.path
    }
  }

  @Test("what could not be delivered waits in the queue of transfers, and goes with resume though its file is gone")
  func resume() throws {
    let it = try ServedLogs()
    let path = try Self.reports(1, in: it.home.url.appending(path: "reports"))[0]
    _ = it.program.end(SIGKILL)
    let first = try it.command("crash", "upload", path, "--attempts", "1")
    #expect(first.status == 69, "\(first.output)")
    #expect(first.output.contains("waits in the queue as 1"), "\(first.output)")
    try FileManager.default.removeItem(atPath: path)
    let listed = try json(try it.command("file", "list", "--json").output)
    let row = try #require((listed["transfers"] as? [[String: Any]])?.first)
    #expect(row["source"] as? String == path)
    #expect(row["tag"] as? String == "crash")
    #expect(try it.command("file", "list").output.contains("0.ips"))
    try it.killAndRestart()
    // The token comes from the profile of the server's address.
    let folder = it.home.url.appending(path: "config/servers")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(it.profile.utf8).write(to: folder.appending(path: "here.json"))
    let resumed = try mpaas(["file", "resume", "--json"], home: it.home)
    #expect(resumed.status == 0, "\(resumed.errors)\(resumed.output)")
    #expect((try it.get("/api/v1/crashes")["crashes"] as? [Any])?.count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: it.home.path + "/data/transfers/crashes").isEmpty)
  }

  @Test("what waited goes with the next upload, and the same report again is one")
  func earlier() throws {
    let it = try ServedLogs()
    let paths = try Self.reports(3, in: it.home.url.appending(path: "reports"))
    _ = it.program.end(SIGKILL)
    #expect(try it.command("crash", "upload", paths[0], paths[1], "--attempts", "1").status == 69)
    try it.killAndRestart()
    let outcome = try json(try it.command("crash", "upload", paths[2], paths[1], "--json").output)
    let rows = try #require(outcome["reports"] as? [[String: Any]])
    #expect(rows.map { $0["state"] as? String } == ["done", "done"])
    #expect((outcome["earlier"] as? [[String: Any]])?.map { $0["path"] as? String } == [paths[0]])
    #expect((try it.get("/api/v1/crashes")["crashes"] as? [Any])?.count == 3)
  }

  @Test("a refused report keeps its word, is not sent again by a watch, and stands in the list as failed")
  func refused() throws {
    let it = try ServedLogs()
    let folder = it.home.url.appending(path: "reports")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A file that begins as a report is for the server to judge.
    let report = try Self.report()
    try report.prefix(report.count / 2).write(to: folder.appending(path: "b.ips"))
    try report.prefix(report.count / 3).write(to: folder.appending(path: "c.ips"))
    let outcome = try it.command("crash", "upload", folder.path, "--json")
    let rows = try #require(try json(outcome.output)["reports"] as? [[String: Any]])
    #expect(rows.map { $0["code"] as? String } == ["report-truncated", "report-truncated"])
    #expect(rows.map { $0["state"] as? String } == ["failed", "failed"])
    let log = try it.command("crash", "watch", folder.path, "--once", "--json")
    #expect(log.status == 0, "\(log.errors)")
    #expect(log.output.isEmpty, "\(log.errors)")
    let listed = try json(try it.command("file", "list", "--state", "failed", "--json").output)
    let failed = try #require(listed["transfers"] as? [[String: Any]])
    #expect(failed.map { $0["attempts"] as? Int } == [1, 1])
  }

  @Test("a report that another command forgets meanwhile is taken over once more")
  func forgotten() throws {
    let it = try ServedLogs()
    let paths = try Self.reports(2, in: it.home.url.appending(path: "reports"))
    _ = it.program.end(SIGKILL)
    let upload = try RunningProgram(
      Command.mpaas.path, ["crash", "upload", "--attempts", "30"] + paths,
      environment: it.environment.merging(["MPAAS_HOME": it.home.path, "LC_ALL": "C"]) { $1 }, waitsForLine: false)
    var numbers: [Int] = []
    for _ in 0..<600 where numbers.isEmpty {
      usleep(100_000)
      let listed = try json(try it.command("file", "list", "--state", "waiting", "--json").output)
      // Once it was tried, its number is known to the command that waits for it.
      let tried = (listed["transfers"] as? [[String: Any]] ?? []).filter { ($0["attempts"] as? Int ?? 0) > 0 }
      numbers = tried.compactMap { $0["id"] as? Int }
    }
    let first = try #require(numbers.first)
    // While it is tried once more it belongs to the command that tries.
    var removal = try it.command("file", "remove", "\(first)")
    for _ in 0..<600 where removal.status != 0 {
      usleep(100_000)
      removal = try it.command("file", "remove", "\(first)")
    }
    #expect(removal.status == 0, "\(removal.errors)")
    try it.killAndRestart()
    #expect(upload.end(0) == 0)
    #expect((try it.get("/api/v1/crashes")["crashes"] as? [Any])?.count == 2)
  }

  @Test("killed at any moment, and two at once: each report is there once")
  func kills() throws {
    let it = try ServedLogs()
    let folder = it.home.url.appending(path: "reports")
    let paths = try Self.reports(12, in: folder)
    var random = SeededRandom(seed: 11)
    func sender() throws -> RunningProgram {
      try RunningProgram(
        Command.mpaas.path, ["crash", "upload", folder.path],
        environment: it.environment.merging(["MPAAS_HOME": it.home.path, "LC_ALL": "C"]) { $1 }, waitsForLine: false)
    }
    for round in 0..<SeededRandom.rounds(or: 6) {
      let programs = [try sender(), try sender()]
      usleep(UInt32.random(in: 0..<120_000, using: &random))
      if round % 3 == 1 { try it.killAndRestart() }
      for program in programs { _ = program.end(SIGKILL) }
    }
    let programs = [try sender(), try sender()]
    let last = try it.command("crash", "upload", folder.path, "--json")
    #expect(last.status == 0, "\(last.errors)\(last.output)")
    for program in programs { _ = program.end(SIGTERM) }
    // They may have been about to ask once more for what was there.
    let resumed = try it.command("file", "resume")
    #expect(resumed.status == 0, "\(resumed.errors)\(resumed.output)")
    let stored = try it.get("/api/v1/crashes")
    #expect((stored["crashes"] as? [Any])?.count == paths.count)
    let open = try json(try it.command("file", "list", "--state", "waiting", "--state", "active", "--json").output)
    #expect((open["transfers"] as? [Any])?.isEmpty == true)
  }

  @Test("a watch takes reports over while the server is away, and brings them when it is back")
  func watchAway() throws {
    let it = try ServedLogs()
    let folder = it.home.url.appending(path: "reports")
    let paths = try Self.reports(2, in: folder)
    _ = it.program.end(SIGKILL)
    func watcher(waitsForLine: Bool) throws -> RunningProgram {
      try RunningProgram(
        Command.mpaas.path, ["crash", "watch", folder.path, "--every", "20ms", "--json"],
        environment: it.environment.merging(["MPAAS_HOME": it.home.path, "LC_ALL": "C"]) { $1 },
        waitsForLine: waitsForLine)
    }
    let first = try watcher(waitsForLine: false)
    func taken() throws -> Int {
      let listed = try json(try it.command("file", "list", "--json").output)
      return (listed["transfers"] as? [Any])?.count ?? 0
    }
    while try taken() < 2 {}
    _ = first.end(SIGKILL)
    for path in paths { try FileManager.default.removeItem(atPath: path) }
    try it.killAndRestart()
    let second = try watcher(waitsForLine: true)
    #expect(paths.contains(try json(second.line)["path"] as? String ?? ""))
    #expect(second.end(SIGTERM) == 0)
    #expect(try it.command("crash", "watch", folder.path, "--once").status == 0)
    #expect((try it.get("/api/v1/crashes")["crashes"] as? [Any])?.count == 2)
  }

  @Test("over Wi-Fi only waits where there is none")
  func rules() throws {
    let it = try ServedLogs()
    let path = try Fixture.path(Self.fixture)
    let held = try it.command("crash", "upload", path, "--network", "wifi", "--connection", "cellular")
    #expect(held.status == 75, "\(held.errors)\(held.output)")
    #expect(held.errors.isEmpty, "\(held.errors)\(held.output)")
    #expect(try it.command("crash", "upload", path).status == 0)
  }
}
