import Foundation
import MPaaSTestSupport
import Testing

/// A folder with reports, and the command on them.
private struct Desk {
  let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  func path(_ name: String) -> String { home.path + "/" + name }

  /// A copy of a fixture that may be written to.
  func copy(_ fixture: String, as name: String) throws -> String {
    try Fixture.data("crash/" + fixture).write(to: URL(filePath: path(name)))
    return path(name)
  }

  func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(filePath: path(name)))
  }

  func mpaas(_ arguments: String..., input: String? = nil) throws -> Command.Outcome {
    try Command.run(
      "mpaas", arguments, input: input,
      environment: ["MPAAS_HOME": path("home"), "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": ""])
  }

  /// The same with standard output in a file, since it may be no text.
  func mpaas(into name: String, _ arguments: String...) throws -> Int32 {
    let program = Command.mpaas.path
    return try Command.run(
      "sh", ["-c", "exec \"$0\" \"$@\" > \"$OUT\"", program] + arguments,
      environment: ["MPAAS_HOME": path("home"), "OUT": path(name), "LC_ALL": "C"]
    ).status
  }
}

@Suite("mpaas crash with reports of every format", .fixtures) struct CrashFormatsTests {
  private static let dSYMs = "crash/crashprobe/release-arm64/dSYMs"

  @Test("what is printed is the report byte for byte, a last newline neither added nor lost")
  func printed() throws {
    let desk = try Desk()
    // Its last line has no newline.
    let text = try Fixture.path("crash/apple/acrp_bruno.crash")
    #expect(try desk.mpaas(into: "text", "crash", "convert", text, "--to", "apple") == 0)
    #expect(try desk.bytes("text") == Fixture.data("crash/apple/acrp_bruno.crash"))
    let report = try Fixture.path("crash/plcrash/live_report_exception.plcrash")
    let expected = try Fixture.data("crash/plcrash/live_report_exception.plcrash")
    #expect(try desk.mpaas(into: "one", "crash", "convert", report, "--to", "plcrash") == 0)
    #expect(try desk.bytes("one") == expected)
    #expect(try desk.mpaas(into: "two", "crash", "symbolicate", report, "--to", "plcrash") == 0)
    #expect(try desk.bytes("two") == expected)
  }

  @Test(
    "a report that gains no symbols stays byte for byte as it was",
    arguments: [
      "apple/sym_AppleJson.ips", "apple/idb_xctest-concated-json-crash.ips", "kscrash/Abort.json",
      "apple/acrp_handcrafted.crash", "plcrash/fuzz_report.plcrash",
    ])
  func unchanged(fixture: String) throws {
    let desk = try Desk()
    let path = try desk.copy(fixture, as: "report")
    #expect(try desk.mpaas("crash", "symbolicate", path, "--in-place").status == 0)
    #expect(try desk.bytes("report") == Fixture.data("crash/" + fixture))
  }

  @Test("an .ips file with a text body keeps its first line and its text when it gets symbols")
  func textBody() throws {
    let desk = try Desk()
    let source = try Fixture.path("crash/crashprobe/release-arm64/Call abort().json")
    let text = try desk.mpaas("crash", "convert", source, "--to", "apple").output
    let header = "{\"bug_type\":\"109\",\"name\":\"CrashProbeiOS\",\"x\":1}"
    try Data((header + "\n" + text).utf8).write(to: URL(filePath: desk.path("old.ips")))
    let symbols = try Fixture.path(Self.dSYMs)
    #expect(
      try desk.mpaas("crash", "symbolicate", desk.path("old.ips"), "--in-place", "--symbols", symbols).status == 0)
    let lines = String(decoding: try desk.bytes("old.ips"), as: UTF8.self).split(separator: "\n")
    #expect(lines.first.map(String.init) == header)
    #expect(lines.contains { $0.contains("-[CRLCrashAbort crash] (CRLCrashAbort.m:37)") })
    #expect(lines.contains { $0.hasPrefix("Incident Identifier:") })
  }

  @Test("- stands for standard input, which cannot be changed in place")
  func standardInput() throws {
    let desk = try Desk()
    let text = String(decoding: try Fixture.data("crash/apple/acrp_handcrafted.crash"), as: UTF8.self)
    #expect(try desk.mpaas("crash", "convert", "-", "--to", "apple", input: text).output == text)
    #expect(try desk.mpaas("crash", "show", "-", input: text).output.contains("Thread 1 Crashed"))
    #expect(try desk.mpaas("symbols", "check", "-", input: text).status == 1)
    let inPlace = try desk.mpaas("crash", "symbolicate", "-", "--in-place", input: text)
    #expect(inPlace.status == 64)
    #expect(inPlace.errors.contains("standard input"))
  }

  @Test("a Crashlytics folder in an archive is one report, as it is in a folder", .tool("tar"))
  func recordsInArchive() throws {
    let desk = try Desk()
    let folder = try Fixture.path("crash/clsrecord")
    try #require(try Command.run("tar", ["czf", desk.path("all.tgz"), "-C", folder, "."]).status == 0)
    let packed = try desk.mpaas("crash", "list", desk.path("all.tgz"), "--json")
    #expect(packed.status == 0, "\(packed.errors)")
    #expect(packed.errors.isEmpty, "\(packed.errors)")
    let plain = try desk.mpaas("crash", "list", folder, "--json")
    func incidents(_ text: String) throws -> [String?] {
      let list = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      return (list?["reports"] as? [[String: Any]] ?? []).map { $0["incident"] as? String }
    }
    #expect(try incidents(packed.output) == ["af86acaaad2f41f8b660b3c17a41c6e8"])
    #expect(try incidents(plain.output) == incidents(packed.output))
  }

  @Test("a list names the exception where there is no signal, and reports that are no crashes by what they are")
  func list() throws {
    let desk = try Desk()
    let dump = try desk.mpaas("crash", "list", Fixture.path("crash/minidump/test.dmp")).output
    #expect(dump.contains("EXCEPTION_ACCESS_VIOLATION"))
    let jetsam = """
      {"bug_type":"298","timestamp":"2025-03-04 10:11:12.00 +0100","os_version":"iPhone OS 17.4 (21E236)"}
      {"memoryStatus":{"pageSize":16384},"largestProcess":"Demo","processes":[
      {"pid":77,"name":"mediad","rpages":300},{"pid":462,"name":"Demo","rpages":90000,"reason":"per-process-limit"}]}
      """
    try Data(jetsam.utf8).write(to: URL(filePath: desk.path("JetsamEvent.ips")))
    let row = try desk.mpaas("crash", "list", desk.path("JetsamEvent.ips")).output
    #expect(row.contains("Demo [462]"))
    #expect(row.contains("jetsam"))
    for format in ["md", "html"] {
      let page = try desk.mpaas("crash", "convert", desk.path("JetsamEvent.ips"), "--to", format).output
      #expect(page.contains("per-process-limit"))
      #expect(page.contains("1.5 GB"))
    }
  }

  @Test("a folder without reports is no success: nothing was checked")
  func noReports() throws {
    let desk = try Desk()
    try Data("notes".utf8).write(to: URL(filePath: desk.path("notes.txt")))
    for command in [["symbols", "check"], ["crash", "symbolicate"]] {
      let outcome = try desk.mpaas(command[0], command[1], desk.home.path)
      #expect(outcome.status == 66)
      #expect(outcome.errors.contains(desk.home.path))
    }
  }

  @Test("a build that was added is a near miss of another build of the same name")
  func storedBuild() throws {
    let desk = try Desk()
    #expect(try desk.mpaas("symbols", "add", Fixture.path(Self.dSYMs)).status == 0)
    let source = try Fixture.path("crash/crashprobe/release-arm64/Swift.json")
    let report = try desk.mpaas("crash", "convert", source, "--to", "ips").output
    #expect(try desk.mpaas("symbols", "check", "-", input: report).output.contains("another build") == false)
    let edited = report.replacingOccurrences(of: "837a894d667f", with: "837a894d6600")
    let checked = try desk.mpaas("symbols", "check", "-", "--json", input: edited)
    #expect(checked.status == 1)
    let object = try JSONSerialization.jsonObject(with: Data(checked.output.utf8)) as? [String: Any]
    let missing = (object?["missing"] as? [[String: Any]] ?? []).first { $0["name"] as? String == "CrashProbeiOS" }
    let near = missing?["near_misses"] as? [[String: String]]
    #expect(near?.map { $0["uuid"] } == ["54039061a9833323a49d837a894d667f"])
    for key in ["uuid", "name", "reason", "searched", "command"] { #expect(missing?[key] != nil) }
  }

  @Test("the text of an .ips file with a text body begins behind the first line")
  func textOfOldFile() throws {
    let desk = try Desk()
    let text = String(decoding: try Fixture.data("crash/apple/acrp_handcrafted.crash"), as: UTF8.self)
    let old = "{\"bug_type\":\"109\",\"name\":\"x\"}\n" + text
    #expect(try desk.mpaas("crash", "convert", "-", "--to", "apple", input: old).output == text)
  }
}
