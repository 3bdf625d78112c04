import Foundation
import MPaaSTestSupport
import Testing

@Suite("The second program") struct SecondProgramTests {
  private static let absent = ["MPAAS_SERVER": "/nowhere/mpaas-server"]

  @Test(
    "is what each command needs that serves or proxies; where it is missing, that is said",
    arguments: [
      ["serve"], ["net", "serve", "--api", "127.0.0.1:0"], ["net", "run", "--", "true"],
      ["net", "record", "127.0.0.1:1"],
      ["net", "replay", "--random", "1", "--listen", "127.0.0.1:0", "--upstream", "127.0.0.1:1"],
      ["symbols", "serve", "--listen", "127.0.0.1:0"], ["pinyin", "serve", "--listen", "127.0.0.1:0"],
    ])
  func missing(words: [String]) throws {
    let home = try TemporaryFolder()
    let outcome = try mpaas(words + (words.contains("run") ? [] : ["--json"]), home: home, environment: Self.absent)
    #expect(outcome.status == 66 && outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("/nowhere/mpaas-server"), "\(outcome)")
  }

  @Test(
    "is not needed for help, for words that are wrong, and by what neither serves nor proxies",
    arguments: [
      (["net", "serve", "--help"], 0), (["net", "run", "--help"], 0), (["symbols", "serve", "--help"], 0),
      (["net", "serve", "--journl", "a"], 64), (["net", "serve", "--fresh", "--restore"], 64), (["net", "run"], 64),
      (["net", "replay"], 64), (["net", "profiles"], 0), (["net", "replay", "3g", "--print", "text"], 0),
      (["net", "list", "--api", "127.0.0.1:1"], 69), (["net", "record", "--from", "/nowhere"], 66),
    ])
  func light(words: [String], status: Int32) throws {
    let outcome = try mpaas(words, home: try TemporaryFolder(), environment: Self.absent)
    #expect(outcome.status == status, "\(outcome)")
    #expect(!outcome.errors.contains("mpaas-server"), "\(outcome)")
  }

  @Test(
    "takes the command's place: the same process, called in the same way",
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/exe")))
  func process() throws {
    let server = try NetServer()
    let folder = "/proc/\(server.program.process.processIdentifier)"
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/exe")
    #expect(URL(filePath: program).lastPathComponent == "mpaas-server")
    let words = try Data(contentsOf: URL(filePath: folder + "/cmdline")).split(separator: 0)
    #expect(words.dropFirst().prefix(2).map { String(decoding: $0, as: UTF8.self) } == ["net", "serve"])
    #expect(server.program.end(SIGTERM) == 0)
  }

  @Test("goes on ignoring SIGHUP where that was ignored, and is ended by it elsewhere", arguments: [true, false])
  func hangup(isIgnored: Bool) throws {
    let home = try TemporaryFolder()
    let program = try RunningProgram(
      "/bin/sh",
      [
        "-c", (isIgnored ? "trap '' HUP; " : "") + #"exec "$0" "$@""#, Command.products.appending(path: "mpaas").path,
        "symbols", "serve", "--listen", "127.0.0.1:0", "--json",
      ], environment: ["MPAAS_HOME": home.path, "LC_ALL": "C"])
    #expect(program.line.contains("\"url\""))
    guard isIgnored else { return #expect(program.end(SIGHUP) == SIGHUP) }
    kill(program.process.processIdentifier, SIGHUP)
    usleep(200_000)
    #expect(program.process.isRunning && program.end(SIGTERM) == 0)
  }
}
