import Foundation
import MPaaSTestSupport
import Testing

/// A program that runs until the test is over; its first line of output says that it is ready.
final class RunningProgram {
  let process = Process()
  let line: String

  init(_ path: String, _ arguments: [String], environment: [String: String], waitsForLine: Bool = true) throws {
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    let process = process
    try withNoSignalsBlocked { try process.run() }
    var bytes: [UInt8] = []
    while waitsForLine, bytes.last != 10, let next = try pipe.fileHandleForReading.read(upToCount: 1), !next.isEmpty {
      bytes += next
    }
    line = String(decoding: bytes, as: UTF8.self)
  }

  /// Sends a signal and waits for the end.
  func end(_ signal: Int32) -> Int32 {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationStatus
  }

  deinit {
    if process.isRunning { _ = end(SIGKILL) }
  }
}

@Suite("mpaas symbols serve") struct SymbolsServeTests {
  let home: TemporaryFolder
  static let id = "0d6ea12e57206114a6d937f05107b06244168da1"

  init() throws {
    home = try TemporaryFolder()
  }

  private func fixture(_ name: String) throws -> String { try Fixture.path("crash/elf/matrix/" + name) }

  private func serve(_ arguments: String...) throws -> (server: RunningProgram, url: String) {
    #expect(try mpaas("symbols", "add", fixture("gcc-dwarf4"), home: home).status == 0)
    let server = try RunningProgram(
      Command.mpaas.path,
      ["symbols", "serve", "--listen", "127.0.0.1:0", "--json"] + arguments,
      environment: ["MPAAS_HOME": home.path, "LC_ALL": "C"])
    return (server, try #require(try json(server.line)["url"] as? String))
  }

  private func client(_ url: String) throws -> [String: String] {
    ["DEBUGINFOD_URLS": url, "DEBUGINFOD_CACHE_PATH": home.path + "/client", "HOME": home.path]
  }

  @Test("says where it serves, and ends well when it is told to", .fixtures, arguments: [SIGINT, SIGTERM])
  func life(_ signal: Int32) throws {
    let (server, url) = try serve()
    #expect(url.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+/) != nil)
    #expect(server.end(signal) == 0)
  }

  @Test("answers at once while 300 clients have sent half a request", .fixtures)
  func halfSent() throws {
    let (server, url) = try serve()
    let port = try #require(UInt16(url.split(separator: ":").last ?? ""))
    var sockets: [Int32] = []
    defer { for descriptor in sockets { close(descriptor) } }
    for _ in 0..<300 {
      let descriptor = try LoopbackClient.connect(port)
      sockets.append(descriptor)
      let head = Array("GET /buildid/\(Self.id)/debuginfo HTTP/1.1\r\nHost: a\r\n".utf8)
      #expect(write(descriptor, head, head.count) == head.count)
    }
    let clock = ContinuousClock()
    let start = clock.now
    let outcome = try Command.run(
      "curl",
      ["-sS", "--max-time", "20", "-o", "/dev/null", "-w", "%{http_code}", "\(url)/buildid/\(Self.id)/debuginfo"])
    #expect(outcome.output == "200", "\(outcome.errors)")
    #expect(clock.now - start < .seconds(10))
    #expect(server.end(SIGTERM) == 0)
  }

  @Test("what cannot be listened on or is not there is refused", .fixtures)
  func refusals() throws {
    let (server, url) = try serve()
    let address = String(url.dropFirst("http://".count))
    let taken = try mpaas("symbols", "serve", "--listen", address, home: home)
    #expect(taken.status == 73)
    #expect(taken.errors.contains("Cannot listen on \(address)"))
    #expect(try mpaas("symbols", "serve", "--listen", "nonsense", home: home).status == 64)
    #expect(try mpaas("symbols", "serve", "--symbols", "/nowhere", home: home).status == 66)
    #expect(server.end(SIGTERM) == 0)
  }

  @Test("elfutils' client gets debug files, programs and sources", .fixtures, .tool("debuginfod-find"))
  func elfutils() throws {
    let (server, url) = try serve("--source-root", try fixture("src"))
    let environment = try client(url)
    for kind in ["debuginfo", "executable"] {
      let found = try Command.run("debuginfod-find", [kind, Self.id], environment: environment)
      #expect(found.status == 0)
      let path = found.output.trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(try Data(contentsOf: URL(filePath: path)) == Fixture.data("crash/elf/matrix/gcc-dwarf4"))
    }
    let source = try Command.run("debuginfod-find", ["source", Self.id, "/src/elf/a.cpp"], environment: environment)
    #expect(source.status == 0)
    #expect(
      try Data(contentsOf: URL(filePath: source.output.trimmingCharacters(in: .whitespacesAndNewlines)))
        == Fixture.data("crash/elf/matrix/src/a.cpp"))
    #expect(
      try Command.run("debuginfod-find", ["source", Self.id, "/etc/passwd"], environment: environment).status != 0)
    // A file that elfutils' client fetched is in its cache, where we find it without any server.
    let lookup = try mpaas(
      "symbols", "lookup", "--no-network", "--uuid", Self.id, "11a9", home: try TemporaryFolder(),
      environment: environment)
    #expect(lookup.output.contains("/src/elf/a.cpp:"))
    _ = server
  }

  @Test("gdb fetches the debug file of a stripped program", .fixtures, .tool("gdb"))
  func gdb() throws {
    let (server, url) = try serve("--symbols", try fixture("split.debug"))
    // Away from its debug file, which gdb would find beside it.
    let program = home.url.appending(path: "program")
    try FileManager.default.copyItem(atPath: fixture("stripped"), toPath: program.path)
    let outcome = try Command.run(
      "gdb",
      ["-nx", "-batch", "-ex", "set debuginfod enabled on", "-ex", "file \(program.path)", "-ex", "info line main"],
      environment: try client(url))
    #expect(outcome.output.contains("a.cpp"), "\(outcome.output) \(outcome.errors)")
    _ = server
  }

  @Test("our own client fetches from it, keeps what it got, and says nothing else", .fixtures)
  func ownClient() throws {
    let (server, url) = try serve()
    let other = try TemporaryFolder()
    let cache = ["DEBUGINFOD_CACHE_PATH": other.path + "/client", "DEBUGINFOD_URLS": ""]
    let found = try mpaas(
      "symbols", "lookup", "--debuginfod", url, "--uuid", Self.id, "11a9", home: other, environment: cache)
    #expect(found.output.contains("/src/elf/a.cpp:"))
    #expect(found.errors.isEmpty)
    for (isOff, status) in [("1", 66 as Int32), ("0", 0)] {
      let fresh = try TemporaryFolder()
      let named = try mpaas(
        "symbols", "lookup", "--uuid", Self.id, "11a9", home: fresh,
        environment: [
          "MPAAS_SYMBOL_SERVERS": "debuginfod+\(url)/", "MPAAS_NO_NETWORK": isOff, "DEBUGINFOD_URLS": "",
          "DEBUGINFOD_CACHE_PATH": fresh.path + "/client",
        ])
      #expect(named.status == status)
    }
    #expect(server.end(SIGTERM) == 0)
    let again = try mpaas("symbols", "lookup", "--uuid", Self.id, "11a9", home: other, environment: cache)
    #expect(again.output == found.output)
  }

  @Test("our client gets along with elfutils' server", .fixtures, .tool("debuginfod"))
  func elfutilsServer() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(atPath: fixture("gcc-dwarf4"), toPath: folder.path + "/program")
    let port = Int.random(in: 20_000..<30_000)
    let server = try RunningProgram(
      try #require(Command.find("debuginfod")), ["-F", "-p", "\(port)", "-d", ":memory:", folder.path],
      environment: ["HOME": home.path], waitsForLine: false)
    var outcome: Command.Outcome?
    for _ in 0..<150 {
      let fresh = try TemporaryFolder()
      outcome = try mpaas(
        "symbols", "lookup", "--debuginfod", "http://127.0.0.1:\(port)", "--uuid", Self.id, "11a9", home: fresh,
        environment: ["DEBUGINFOD_CACHE_PATH": fresh.path + "/client", "DEBUGINFOD_URLS": ""])
      if outcome?.status == 0 { break }
      Thread.sleep(forTimeInterval: 0.1)
    }
    #expect(outcome?.output.contains("/src/elf/a.cpp:") == true, "\(outcome?.errors ?? "")")
    _ = server.end(SIGTERM)
  }

  @Test("a server that is not there is told, and the look-up ends as without it", .fixtures)
  func unreachable() throws {
    let outcome = try mpaas(
      "symbols", "lookup", "--debuginfod", "http://127.0.0.1:1", "--uuid", Self.id, "11a9", home: home,
      environment: ["DEBUGINFOD_CACHE_PATH": home.path + "/client"])
    #expect(outcome.status == 66)
    #expect(outcome.errors.contains("warning: http://127.0.0.1:1/buildid/\(Self.id)/debuginfo cannot be reached"))
    let malformed = try mpaas("symbols", "lookup", "--symbol-server", "nothing", "--uuid", Self.id, "1", home: home)
    #expect(malformed.status == 64)
  }

  @Test("interrupted on the way, a transfer leaves nothing")
  func interrupted() throws {
    // Answers no request for a second.
    let server = try LoopbackServer { _, _ in nil }
    let client = home.path + "/client/" + Self.id
    let command = try RunningProgram(
      Command.mpaas.path,
      ["symbols", "lookup", "--debuginfod", server.url, "--uuid", Self.id, "11a9"],
      environment: ["MPAAS_HOME": home.path, "DEBUGINFOD_CACHE_PATH": home.path + "/client", "DEBUGINFOD_URLS": ""],
      waitsForLine: false)
    func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: client)) ?? [] }
    for _ in 0..<100 where server.requests.isEmpty { Thread.sleep(forTimeInterval: 0.02) }
    #expect(files().count == 1)
    #expect(command.end(SIGINT) == SIGINT)
    #expect(files().isEmpty)
  }

  @Test("a report is completed from a server that the environment names", .fixtures)
  func report() throws {
    let (server, url) = try serve()
    let report = home.url.appending(path: "report.ips")
    try Data(
      """
      {"app_name":"gcc-dwarf4","bug_type":"309"}
      {"procName":"gcc-dwarf4","pid":1,"usedImages":[{"source":"P","arch":"x86_64","base":4096000,"size":65536,\
      "uuid":"\(Self.id)","path":"/gone/gcc-dwarf4","name":"gcc-dwarf4"}],"faultingThread":0,\
      "threads":[{"id":1,"triggered":true,"frames":[{"imageIndex":0,"imageOffset":4521}]}],\
      "exception":{"type":"EXC_CRASH","signal":"SIGABRT"}}
      """.utf8
    ).write(to: report)
    let other = try TemporaryFolder()
    let outcome = try mpaas(
      "crash", "symbolicate", report.path, home: other,
      environment: ["DEBUGINFOD_CACHE_PATH": other.path + "/client", "DEBUGINFOD_URLS": url])
    #expect(outcome.output.contains("a.cpp:"), "\(outcome.output) \(outcome.errors)")
    let without = try mpaas(
      "crash", "symbolicate", "--no-network", report.path, home: try TemporaryFolder(),
      environment: ["DEBUGINFOD_CACHE_PATH": other.path + "/none", "DEBUGINFOD_URLS": url])
    #expect(!without.output.contains("a.cpp:"))
    _ = server
  }

  @Test("system libraries are listed by version, and gc and remove know all roles", .fixtures)
  func roles() throws {
    let folder = home.url.appending(path: "iOS DeviceSupport/17.4 (21E219)/Symbols/usr/lib")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: Fixture.path("crash/elf/symbolic_crash"), toPath: folder.path + "/libX.dylib")
    let system = try mpaas("symbols", "add", "--system", home.path + "/iOS DeviceSupport", "--json", home: home)
    #expect(system.status == 0)
    let text = try Fixture.path("crash/elf/dump_syms/basic.full.sym")
    #expect(try mpaas("symbols", "add", text, home: home).status == 0)
    let list = try mpaas("symbols", "list", home: home).output
    #expect(list.contains("iOS 17.4 (21E219): 1 library"))
    #expect(list.contains("Breakpad symbols"))
    #expect(!list.contains("libX.dylib"))
    let document = try json(mpaas("symbols", "list", "--json", home: home).output)
    #expect((document["systems"] as? [[String: Any]])?.first?["count"] as? Int == 1)
    #expect((document["symbols"] as? [[String: Any]])?.compactMap { $0["role"] as? String } == ["breakpad", "system"])
    let info = try json(mpaas("symbols", "info", "b060", "--json", home: home).output)
    #expect(info["answers"] as? String == "lines")
    #expect(info["sections"] as? [String] == ["func", "public", "stack_cfi"])
    let broken = home.url.appending(path: "broken.sym")
    try Data("MODULE nothing\n".utf8).write(to: broken)
    let refused = try mpaas("symbols", "add", broken.path, "--json", home: home)
    #expect(refused.status == 65)
    #expect((try json(refused.errors)["error"] as? [String: String])?["code"] == "breakpad-malformed")
    #expect(try mpaas("symbols", "gc", home: home).output == "Removed 0 files, 0 B.\n")
    #expect(try mpaas("symbols", "remove", "b060", "f1c3", home: home).status == 0)
    #expect(try json(mpaas("symbols", "list", "--json", home: home).output)["systems"] == nil)
  }
}
