import Foundation
import MPaaSTestSupport
import Testing

@Suite("The second program") struct SecondProgramTests {
  private static let absent = ["MPAAS_SERVER": "/nowhere/mpaas-server"]

  private static let serving: [[String]] = [
    ["serve"], ["net", "serve", "--api", "127.0.0.1:0"], ["net", "run", "--", "true"],
    ["net", "record", "127.0.0.1:1"],
    ["net", "replay", "--random", "1", "--listen", "127.0.0.1:0", "--upstream", "127.0.0.1:1"],
    ["symbols", "serve", "--listen", "127.0.0.1:0"], ["pinyin", "serve", "--listen", "127.0.0.1:0"],
  ]

  @Test(
    "is what each command needs that serves or proxies; where it is missing, that is said", arguments: serving)
  func missing(words: [String]) throws {
    let home = try TemporaryFolder()
    let outcome = try mpaas(words + (words.contains("run") ? [] : ["--json"]), home: home, environment: Self.absent)
    #expect(outcome.status == 66, "\(outcome)")
    #expect(outcome.output.isEmpty, "\(outcome)")
    #expect(outcome.errors.contains("/nowhere/mpaas-server"), "\(outcome)")
  }

  struct Call: Sendable {
    let words: [String]
    let status: Int32

    init(_ words: String, _ status: Int32) {
      self.words = words.split(separator: " ").map(String.init)
      self.status = status
    }
  }

  private static let others: [Call] = [
    Call("net serve --help", 0), Call("net run --help", 0), Call("symbols serve --help", 0),
    Call("net serve --journl a", 64), Call("net serve --fresh --restore", 64), Call("net run", 64),
    Call("net replay", 64), Call("net profiles", 0), Call("net replay 3g --print text", 0),
    Call("net list --api 127.0.0.1:1", 69), Call("net record --from /nowhere", 66),
  ]

  @Test(
    "is not needed for help, for words that are wrong, and by what neither serves nor proxies", arguments: others)
  func light(call: Call) throws {
    let outcome = try mpaas(call.words, home: try TemporaryFolder(), environment: Self.absent)
    #expect(outcome.status == call.status, "\(outcome)")
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

  @Test("takes words of any length, and leaves nothing of how they came to the programs that it runs")
  func handedOver() throws {
    let words = (1...30_000).map(String.init)
    let script = "echo $# $(env | grep -c MPAAS_HANDED) $(ls /proc/self/fd | wc -l)"
    let call = ["net", "run", "--mode", "proxy", "--", "/bin/sh", "-c", script, "sh"]
    let few = try mpaas(call + ["1"], home: try TemporaryFolder())
    let many = try mpaas(call + words, home: try TemporaryFolder())
    #expect(few.status == 0, "\(few)")
    #expect(many.status == 0, "\(many.errors)")
    let counts = many.output.split(whereSeparator: \.isWhitespace)
    #expect(counts.prefix(2) == ["30000", "0"], "\(many.output)")
    #expect(few.output.split(whereSeparator: \.isWhitespace).last == counts.last, "\(few.output)")
  }

  @Test("goes on ignoring SIGHUP where that was ignored, and is ended by it elsewhere", arguments: [true, false])
  func hangup(isIgnored: Bool) throws {
    let home = try TemporaryFolder()
    let program = try RunningProgram(
      "/bin/sh",
      [
        "-c", (isIgnored ? "trap '' HUP; " : "") + #"exec "$0" "$@""#, Command.mpaas.path,
        "symbols", "serve", "--listen", "127.0.0.1:0", "--json",
      ], environment: ["MPAAS_HOME": home.path, "LC_ALL": "C"])
    #expect(program.line.contains("\"url\""))
    guard isIgnored else { return #expect(program.end(SIGHUP) == SIGHUP) }
    kill(program.process.processIdentifier, SIGHUP)
    usleep(200_000)
    #expect(program.process.isRunning)
    #expect(program.end(SIGTERM) == 0)
  }
}
