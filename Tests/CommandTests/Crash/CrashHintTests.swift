import Foundation
import MPaaSTestSupport
import Testing

@Suite("After a crash", .tool("script")) struct CrashHintTests {
  private static let environment = [
    "LC_ALL": "C", "MPAAS_LANG": "", "NO_COLOR": "1", "PAGER": "cat", "MPAAS_SERVER_URL": "",
  ]

  @Test("a person at a terminal hears how to look at the report and send it; a script does not")
  func next() throws {
    let home = try TemporaryFolder()
    let call = ["crash", "run", "--", "/bin/sh", "-c", "kill -SEGV $$"]
    let environment = Self.environment.merging(["MPAAS_HOME": home.path]) { $1 }
    let seen = try Pty.run("mpaas", call, environment: environment)
    guard seen.status != 77 else { return }
    #expect(seen.output.contains("mpaas crash show \(home.path)/data/crashes/"), "\(seen.output)")
    #expect(seen.output.contains("--server URL"), "\(seen.output)")
    let quiet = try Command.run("mpaas", call, environment: environment)
    #expect(!quiet.errors.contains("mpaas crash show"), "\(quiet.errors)")
    let report = try #require(quiet.output.split(separator: "\n").last.map(String.init))
    let shown = try Pty.run("mpaas", ["crash", "show", report], environment: environment)
    #expect(shown.output.contains("mpaas crash convert \(report) --to html"), "\(shown.output.suffix(400))")
  }
}
