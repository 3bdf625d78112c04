import Foundation
import MPaaSTestSupport
import Testing

private func mpaas(_ arguments: String..., home: TemporaryFolder) throws -> Command.Outcome {
  try Command.run(
    "mpaas", arguments, environment: ["MPAAS_HOME": home.path, "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": ""])
}

@Suite("mpaas crash with binary reports", .fixtures) struct CrashDumpTests {
  @Test(
    "convert --to apple of a .plcrash prints PLCrashReporter's text, byte for byte",
    arguments: ["live_report_exception", "live_report_arm64e", "fuzz_report"])
  func text(name: String) throws {
    let home = try TemporaryFolder()
    let expected = String(decoding: try Fixture.data("crash/plcrash/\(name).txt"), as: UTF8.self)
    let report = try Fixture.path("crash/plcrash/\(name).plcrash")
    #expect(try mpaas("crash", "convert", report, "--to", "apple", home: home).output == expected)
    let ips = home.path + "/report.ips"
    #expect(try mpaas("crash", "convert", report, "--to", "ips", "--output", ips, home: home).status == 0)
    let file = home.path + "/report.txt"
    #expect(try mpaas("crash", "convert", ips, "--to", "apple", "--output", file, home: home).status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == expected)
  }

  @Test("convert --to plcrash writes the same bytes back, and any report's as a .plcrash that reads")
  func plcrash() throws {
    let home = try TemporaryFolder()
    let report = try Fixture.path("crash/plcrash/live_report_exception.plcrash")
    let written = home.path + "/written.plcrash"
    #expect(try mpaas("crash", "convert", report, "--to", "plcrash", "-o", written, home: home).status == 0)
    #expect(FileManager.default.contentsEqual(atPath: written, andPath: report))
    let dump = try Fixture.path("crash/minidump/linux-mini.dmp")
    #expect(try mpaas("crash", "convert", dump, "--to", "plcrash", "-o", written, home: home).status == 0)
    let shown = try mpaas("crash", "show", written, "--json", home: home)
    #expect(shown.status == 0)
    #expect(shown.output.contains("\"procName\":\"crash\""))
    let json = try mpaas("crash", "convert", report, "--to", "plcrash", "--json", home: home).output
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String]
    #expect(Data(base64Encoded: object?["plcrash"] ?? "") == FileManager.default.contents(atPath: report))
  }

  @Test("convert refuses to print a .plcrash to a terminal")
  func terminal() throws {
    let home = try TemporaryFolder()
    let report = try Fixture.path("crash/plcrash/fuzz_report.plcrash")
    let pty = try Pty.run(
      "mpaas", ["crash", "convert", report, "--to", "plcrash"], environment: ["MPAAS_HOME": home.path, "LC_ALL": "C"])
    #expect(pty.status == 64)
    #expect(pty.output.contains("--output"))
  }

  @Test("show of a minidump tells what happened and where")
  func minidump() throws {
    let home = try TemporaryFolder()
    let shown = try mpaas("crash", "show", Fixture.path("crash/minidump/test.dmp"), home: home)
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(shown.output.contains("EXCEPTION_ACCESS_VIOLATION"))
    #expect(shown.output.contains("Thread 0 Crashed"))
  }

  @Test("damaged files are malformed input, with the byte where it is")
  func damaged() throws {
    let home = try TemporaryFolder()
    let bytes = try Fixture.data("crash/plcrash/fuzz_report.plcrash")
    let file = home.path + "/cut.plcrash"
    try bytes.dropLast(3).write(to: URL(filePath: file))
    let cut = try mpaas("crash", "show", file, home: home)
    #expect(cut.status == 65)
    #expect(cut.errors.contains("byte"))
    try Fixture.data("crash/minidump/test.dmp").prefix(100).write(to: URL(filePath: file))
    #expect(try mpaas("crash", "show", file, home: home).status == 65)
  }
}
