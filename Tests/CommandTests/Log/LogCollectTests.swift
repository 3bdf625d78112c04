import Foundation
import MPaaSTestSupport
import Testing

/// A `mpaas serve` of a test's own, and commands that talk to it.
final class ServedLogs {
  let home: TemporaryFolder
  private(set) var program: RunningProgram
  private(set) var ready: [String: Any]
  private let options: [String]

  /// - Parameter options: Further options of `mpaas serve`.
  init(_ options: [String] = []) throws {
    home = try TemporaryFolder()
    self.options = options
    let (program, ready) = try Self.start(home, "127.0.0.1:0", options)
    (self.program, self.ready) = (program, ready)
    token = ready["token"] as? String ?? ""
    profile = program.line
  }

  private static func start(
    _ home: TemporaryFolder, _ listen: String, _ options: [String]
  ) throws -> (RunningProgram, [String: Any]) {
    let program = try RunningProgram(
      Command.mpaas.path,
      ["serve", "--data", home.path + "/server", "--listen", listen, "--json"] + options,
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": ""])
    return (program, try json(program.line))
  }

  var url: String { ready["url"] as? String ?? "" }
  /// The token, which the first start alone tells.
  let token: String
  /// The line of the first start: a profile of the server, with its token.
  let profile: String

  /// Kills the server and starts it anew at the same address.
  func killAndRestart() throws {
    let address = url.split(separator: "/").last.map(String.init) ?? ""
    _ = program.end(SIGKILL)
    (program, ready) = try Self.start(home, address, options)
  }

  var environment: [String: String] { ["MPAAS_SERVER_URL": url, "MPAAS_TOKEN": token] }

  func command(_ arguments: String...) throws -> Command.Outcome {
    try mpaas(arguments, home: home, environment: environment)
  }

  func get(_ path: String) throws -> [String: Any] {
    let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    let head = "GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer \(token)\r\n\r\n"
    let answer = try RawAnswer.exchange(port, Array(head.utf8))
    try #require(answer.status == 200, "\(answer.body)")
    return try json(answer.body)
  }

  /// A folder of the device's logs, a line each minute of the last two hours.
  func logs() throws -> String {
    let folder = home.url.appending(path: "logs/diagnostic/2026-01-01")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let now = Date()
    let lines = (0..<120).map { minute in
      "\(now.addingTimeInterval(Double(minute - 120) * 60).ISO8601Format()) INFO Tag [1] message \(minute)\n"
    }
    try Data(lines.joined().utf8).write(to: folder.appending(path: "00.log"))
    return home.path + "/logs"
  }
}

@Suite("mpaas log collect, tasks and upload") struct LogCollectTests {
  @Test("the desk asks, the device answers, and the archive comes back")
  func roundTrip() throws {
    let it = try ServedLogs()
    let logs = try it.logs()
    let asked = try it.command("log", "collect", "u1", "--since", "1h", "--json")
    #expect(asked.status == 0, "\(asked.errors)")
    let id = try #require(try json(asked.output)["id"] as? String)
    #expect(try it.command("log", "tasks").output.contains(id))
    let answered = try it.command("log", "collect", "u1", "--as-device", "phone", "--logs", logs, "--json")
    #expect(answered.status == 0, "\(answered.errors)\(answered.output)")
    let tasks = try #require(try json(answered.output)["tasks"] as? [[String: Any]])
    #expect(tasks.map { $0["state"] as? String } == ["done"])
    let shown = try json(try it.command("log", "tasks", "show", id, "--json").output)
    #expect(shown["state"] as? String == "done")
    #expect(shown["size"] as? Int == tasks[0]["size"] as? Int)
    // A device that answers while the desk waits.
    let device = try RunningProgram(
      Command.mpaas.path,
      ["log", "collect", "u1", "--as-device", "phone", "--logs", logs, "--every", "100ms"],
      environment: it.environment.merging(["MPAAS_HOME": it.home.path + "/device", "LC_ALL": "C"]) { $1 },
      waitsForLine: false)
    let file = it.home.path + "/came.zip"
    let waited = try it.command("log", "collect", "u1", "--since", "30m", "--output", file, "--json")
    #expect(waited.status == 0, "\(waited.errors)")
    let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    #expect(size == (try json(waited.output)["size"] as? Int))
    #expect((size ?? 0) > 0)
    #expect(device.end(SIGTERM) == 0)
  }

  @Test("a task is cancelled, and one without logs fails with status 1")
  func ends() throws {
    let it = try ServedLogs()
    let id = try #require(try json(try it.command("log", "collect", "u1", "--json").output)["id"] as? String)
    let offered = try it.command("completion", "answer", "--shell", "fish", "--", "mpaas", "log", "tasks", "cancel", "")
    #expect(offered.output.contains("\n\(id)\twaiting  u1\n"))
    let cancelled = try it.command("log", "tasks", "cancel", id, "--json")
    #expect(try json(cancelled.output)["state"] as? String == "cancelled")
    let again = try it.command("log", "tasks", "cancel", id, "--json")
    #expect(again.status == 0, "a second time is the same")
    let old = try json(
      try it.command("log", "collect", "u1", "--since", "2020-01-01", "--until", "2020-01-02", "--json").output)
    let answered = try it.command("log", "collect", "u1", "--as-device", "d", "--logs", try it.logs())
    #expect(answered.status == 1, "\(answered.output)")
    let shown = try it.command("log", "tasks", "show", try #require(old["id"] as? String))
    #expect(shown.status == 1)
    #expect(shown.output.contains("log-pack-empty"))
  }

  @Test("a file is uploaded, sent twice it is there once, and a folder goes as one archive")
  func uploads() throws {
    let it = try ServedLogs()
    let file = it.home.path + "/a.log"
    try Data(String(repeating: "line\n", count: 100_000).utf8).write(to: URL(filePath: file))
    let first = try it.command("log", "upload", file, "--user", "u1", "--json")
    #expect(first.status == 0, "\(first.errors)\(first.output)")
    let row = try #require((try json(first.output)["files"] as? [[String: Any]])?.first)
    #expect(row["state"] as? String == "done")
    #expect(row["size"] as? Int == 500_000)
    let other = try mpaas(
      ["log", "upload", file, "--user", "u1", "--json"], home: try TemporaryFolder(), environment: it.environment)
    #expect(other.status == 0, "\(other.errors)\(other.output)")
    let folder = try it.command("log", "upload", try it.logs(), "--since", "1h", "--json")
    #expect(folder.status == 0, "\(folder.errors)\(folder.output)")
    let left = try FileManager.default.contentsOfDirectory(atPath: it.home.path + "/data/transfers")
    #expect(!left.contains { $0.hasSuffix(".zip") }, "\(left)")
  }

  @Test("the server, its token and its profile are named by options, variables and files")
  func servers() throws {
    let it = try ServedLogs()
    let home = try TemporaryFolder()
    let none = try mpaas(["log", "tasks"], home: home)
    #expect(none.status == 64)
    #expect(none.errors.contains("MPAAS_SERVER_URL"))
    let denied = try mpaas(
      ["log", "tasks", "--server", it.url, "--json"], home: home, environment: ["MPAAS_TOKEN": "mpt_x"])
    #expect(denied.status == 77)
    #expect(denied.errors.contains("log-server-not-permitted"))
    let folder = home.url.appending(path: "config/servers")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let profile = folder.appending(path: "default.json")
    try Data(it.profile.utf8).write(to: profile)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: profile.path)
    let byProfile = try mpaas(["log", "tasks"], home: home)
    #expect(byProfile.status == 0, "\(byProfile.errors)")
    #expect(byProfile.errors.isEmpty, "\(byProfile.errors)")
    #expect(try mpaas(["log", "tasks", "--profile", "defualt"], home: home).errors.contains("default"))
    // A profile's token goes to its own server only.
    let elsewhere = try mpaas(["log", "tasks", "--server", it.url + "/"], home: home)
    #expect(elsewhere.status == 77)
    let gone = try mpaas(["log", "tasks", "--server", "http://127.0.0.1:1"], home: home)
    #expect(gone.status == 69 || gone.status == 75)
  }

  @Test("records arrive exactly once, whoever is killed and whenever")
  func kills() throws {
    let it = try ServedLogs()
    let points = it.home.url.appending(path: "points/behavior/2026-01-31")
    try FileManager.default.createDirectory(at: points, withIntermediateDirectories: true)
    var random = SeededRandom(seed: 11)
    let arguments = ["log", "upload", it.home.path + "/points", "--monitor-points", "--app", "shop", "--device", "d1"]
    var count = 0
    func write(_ hour: Int, _ number: Int) throws {
      let lines = (0..<number).map { "02026-01-31T\(hour):00:00.000+08:00,e\(count + $0)\n" }
      count += number
      try Data(lines.joined().utf8).write(to: points.appending(path: "\(hour).log"))
    }
    for round in 0..<SeededRandom.rounds(or: 10) {
      if round < 14 { try write(10 + round, 700) }
      let client = try RunningProgram(
        Command.mpaas.path, arguments,
        environment: it.environment.merging(["MPAAS_HOME": it.home.path, "LC_ALL": "C"]) { $1 }, waitsForLine: false)
      usleep(UInt32.random(in: 0..<60_000, using: &random))
      if Bool.random(using: &random) { _ = client.end(SIGKILL) } else { try it.killAndRestart() }
      client.process.waitUntilExit()
    }
    let last = try mpaas(arguments, home: it.home, environment: it.environment)
    #expect(last.status == 0, "\(last.errors)")
    let batches = try #require(try it.get("/api/v1/records?limit=1000")["batches"] as? [[String: Any]])
    let lines = batches.map { $0["lines"] as? [String] ?? [] }.joined()
    let events = lines.compactMap { $0.split(separator: ",").last.map(String.init) }
    #expect(events.count == count)
    #expect(Set(events) == Set((0..<count).map { "e\($0)" }))
    let marked = try FileManager.default.contentsOfDirectory(atPath: points.path).map {
      try String(contentsOf: points.appending(path: $0), encoding: .utf8)
    }.joined().split(separator: "\n")
    #expect(marked.count == count)
    #expect(marked.allSatisfy { $0.hasPrefix("1") })
  }
}
