import Foundation
import MPaaSTestSupport
import Testing

/// A C program that crashes, and a report of it without symbols as the capture writes it.
private struct CrashedProgram {
  let home: TemporaryFolder
  let report: String
  let buildID: String

  var folder: String { home.path + "/data/crashes" }
  var program: String { home.path + "/victim" }

  static let source = """
    static inline __attribute__((always_inline)) int pick(volatile int *numbers, int index) {
      return numbers[index];
    }
    __attribute__((noinline)) int victim(volatile int *numbers) {
      return pick(numbers, 7) + 1;
    }
    int main(int count, char **words) { return victim((int *)0); }
    """

  init() throws {
    home = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: home.path + "/data/crashes", withIntermediateDirectories: true)
    let file = home.url.appending(path: "victim.c")
    try Data(Self.source.utf8).write(to: file)
    let program = home.path + "/victim"
    let gcc = try Command.run("gcc", ["-O1", "-g", "-Wl,--build-id=sha1", file.path, "-o", program])
    try #require(gcc.status == 0, "\(gcc.errors)")
    let notes = try Command.run("readelf", ["-n", program]).output
    buildID = try #require(notes.firstMatch(of: /Build ID: ([0-9a-f]+)/).map { String($0.output.1) })
    let symbols = try Command.run("nm", [program]).output
    let start = try #require(
      symbols.firstMatch(of: /([0-9a-f]+) T victim\n/).flatMap { UInt64($0.output.1, radix: 16) })
    let dashed = "\(buildID.prefix(8))-0000-0000-0000-000000000000"
    report = home.path + "/data/crashes/victim-1.ips"
    let text = """
      {"bug_type":"309","app_name":"victim"}
      {"incident":"ABCD1234-0000","procName":"victim","procPath":"\(program)","pid":77,"cpuType":"X86-64",
      "captureTime":"2026-03-16 11:45:14.2121 +0000","faultingThread":0,
      "exception":{"type":"EXC_BAD_ACCESS","signal":"SIGSEGV","subtype":"SEGV_MAPERR at 0x000000000000001c"},
      "threads":[{"id":77,"triggered":true,"frames":[{"imageIndex":0,"imageOffset":\(start)}]}],
      "usedImages":[{"base":4096,"size":65536,"uuid":"\(dashed)","path":"\(program)","arch":"x86_64","source":"P",
      "mpaas":{"buildID":"\(buildID)"}}]}
      """
    try Data(text.utf8).write(to: URL(filePath: report))
  }

  func mpaas(_ arguments: String..., environment: [String: String] = [:]) throws -> Command.Outcome {
    let base = ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "", "CLICOLOR_FORCE": ""]
    return try Command.run("mpaas", arguments, environment: base.merging(environment) { $1 })
  }
}

@Suite("mpaas crash symbolicate, show and list", .tool("gcc"), .tool("readelf"), .tool("nm"))
struct CrashReportTests {
  @Test("symbolicate gives frames functions, files, lines and inlined calls")
  func symbolicate() throws {
    let it = try CrashedProgram()
    let outcome = try it.mpaas("crash", "symbolicate", it.report, "--json")
    #expect(outcome.status == 0)
    let body = try json(outcome.output)
    #expect((body["missing"] as? [Any])?.isEmpty == true)
    #expect((body["header"] as? [String: Any])?["app_name"] as? String == "victim")
    let thread = try #require((body["threads"] as? [[String: Any]])?.first)
    let frames = try #require(thread["frames"] as? [[String: Any]])
    #expect(frames.map { $0["symbol"] as? String } == ["pick", "victim"])
    #expect(frames.map { $0["sourceLine"] as? Int } == [2, 5])
    #expect(frames.map { $0["inline"] as? Bool } == [true, nil])
  }

  @Test("symbolicate says which build is missing, where it looked and which command adds it")
  func missing() throws {
    let it = try CrashedProgram()
    try FileManager.default.removeItem(atPath: it.program)
    let outcome = try it.mpaas("crash", "symbolicate", it.report, "--json")
    #expect(outcome.status == 0)
    let missing = try #require((try json(outcome.output)["missing"] as? [[String: Any]])?.first)
    #expect(missing["uuid"] as? String == it.buildID)
    #expect(missing["name"] as? String == "victim")
    #expect(missing["reason"] as? String == "not-found")
    #expect((missing["searched"] as? [String])?.contains(it.program) == true)
    #expect(missing["command"] as? String == "mpaas symbols add DIR/victim")
    let text = try it.mpaas("crash", "symbolicate", it.report, "--lang", "zh-Hans").output
    #expect(text.contains("缺少 victim（\(it.buildID)）的符号：未找到具有此 build ID 的文件。"))
  }

  @Test("symbolicate takes symbols from paths, and writes a file when asked")
  func paths() throws {
    let it = try CrashedProgram()
    let kept = it.home.path + "/kept"
    try FileManager.default.createDirectory(atPath: kept, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: it.program, toPath: kept + "/victim")
    let output = it.home.path + "/out.ips"
    let outcome = try it.mpaas("crash", "symbolicate", it.report, "--symbols", kept, "--output", output)
    #expect(outcome.status == 0)
    #expect(outcome.output == output + "\n")
    let shown = try it.mpaas("crash", "show", output).output
    #expect(shown.contains("pick (victim.c:2) [inlined]"))
    #expect(shown.contains("> 2 |   return numbers[index];"))
    let inPlace = try it.mpaas("crash", "symbolicate", it.report, "--symbols", kept, "--in-place")
    #expect(inPlace.output == it.report + "\n")
    #expect(try it.mpaas("crash", "show", it.report).output.contains("victim (victim.c:5)"))
    #expect(try it.mpaas("crash", "symbolicate", it.report, it.report, "--output", output).status == 64)
  }

  @Test("show takes a path, a name, an incident and latest; an unknown name gets the nearest")
  func naming() throws {
    let it = try CrashedProgram()
    let shown = try it.mpaas("crash", "show", it.report)
    #expect(shown.status == 0)
    #expect(shown.output.hasPrefix("victim crashed: Segmentation fault"))
    for name in ["victim-1", "victim-1.ips", "abcd1234", "latest"] {
      #expect(try it.mpaas("crash", "show", name).output == shown.output, "\(name)")
    }
    let unknown = try it.mpaas("crash", "show", "victin-1")
    #expect(unknown.status == 66)
    #expect(unknown.errors.contains("error: No report is called victin-1"))
    #expect(unknown.errors.contains("help: did you mean victim-1"))
  }

  @Test("show in colour says the same as in black and white")
  func colour() throws {
    let it = try CrashedProgram()
    let plain = try it.mpaas("crash", "show", it.report).output
    let coloured = try it.mpaas("crash", "show", it.report, "--color", "always").output
    #expect(coloured.contains("\u{1b}[1;31m"))
    #expect(coloured.replacing(/\u{1b}\[[0-9;]*m/, with: "") == plain)
  }

  @Test("list shows the captured reports, and warns of files that are none")
  func list() throws {
    let it = try CrashedProgram()
    _ = try it.mpaas("crash", "symbolicate", it.report, "--in-place")
    try Data("{".utf8).write(to: URL(filePath: it.folder + "/broken.ips"))
    let outcome = try it.mpaas("crash", "list")
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("2026-03-16 11:45:14"))
    #expect(outcome.output.contains("victim [77]"))
    #expect(outcome.output.contains("pick (victim.c:2)"))
    #expect(outcome.errors.contains("warning: \(it.folder)/broken.ips ends in the middle of its JSON"))
    let rows = try #require(try json(try it.mpaas("crash", "list", "--json").output)["reports"] as? [[String: Any]])
    #expect(rows.map { $0["signal"] as? String } == ["SIGSEGV"])
    #expect(rows.first?["function"] as? String == "pick")
    #expect(try mpaas("crash", "list").output.contains("There are no crash reports in"))
  }

  @Test("convert writes .ips, JSON and text that are the same report")
  func convert() throws {
    let it = try CrashedProgram()
    let ips = it.home.path + "/copy.ips"
    #expect(try it.mpaas("crash", "convert", it.report, "--to", "ips", "--output", ips).output == ips + "\n")
    #expect(try it.mpaas("crash", "show", ips).output == it.mpaas("crash", "show", it.report).output)
    let document = try json(try it.mpaas("crash", "convert", ips, "--to", "json").output)
    #expect((document["header"] as? [String: Any])?["app_name"] as? String == "victim")
    let text = try it.mpaas("crash", "convert", ips, "--to", "apple")
    #expect(text.output.hasPrefix("Incident Identifier: ABCD1234-0000\n"))
    #expect(try it.mpaas("crash", "convert", ips, "--to", "word").status == 64)
  }

  @Test("a file that is no report is malformed input, with its place", arguments: ["en", "zh-Hans"])
  func malformed(language: String) throws {
    let it = try CrashedProgram()
    let file = it.home.path + "/bad.ips"
    try Data("{\"bug_type\":\"309\"}\n{\n \"threads\": 7}".utf8).write(to: URL(filePath: file))
    let outcome = try it.mpaas("crash", "show", file, "--lang", language)
    #expect(outcome.status == 65)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("threads"))
    #expect(try it.mpaas("crash", "show", it.home.path + "/none.ips").status == 66)
  }
}
