import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSTestSupport
import Testing

@Suite("The stack of a crash") struct GDBTests {
  /// Prints the address of each frame; inlined calls and tail calls are gdb's own conclusions.
  private static let script = """
    set confirm off
    set backtrace past-main on
    set backtrace past-entry on
    handle SIGSYS nostop noprint pass
    run
    python
    frame = gdb.newest_frame()
    while frame is not None:
      if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
        print("FRAME %d" % frame.pc())
      frame = frame.older()
    end
    kill
    """

  @Test(
    "has the frames that gdb finds", .tool("gdb"), .tool("setarch"),
    arguments: ["array-index", "cxx-exception", "failed-cast", "null-read", "wild-jump", "async-task", "assert"],
    MatrixBuild.allCases)
  func sameAsGDB(_ name: String, _ build: MatrixBuild) throws {
    let folder = try TemporaryFolder()
    let program = Command.products.appending(path: build.rawValue).path
    let script = folder.path + "/commands"
    try Self.script.write(toFile: script, atomically: true, encoding: .utf8)
    let environment = ["SWIFT_BACKTRACE": "enable=no"]
    // The same addresses in both runs.
    let reports = folder.path + "/reports"
    _ = try Command.run("setarch", ["-R", program, name, "--report-to", reports], environment: environment)
    let record = try #require(FileManager.default.contentsOfDirectory(atPath: reports).first)
    let report = try RawRecord.read(reports + "/" + record)
    let ours = report.crashedThread?.frames.filter { $0.kind != .asynchronous }.map(\.address)

    let gdb = try Command.run(
      "gdb", ["-q", "-nx", "-batch", "-x", script, "--args", program, name, "--report-to", folder.path + "/again"],
      environment: environment)
    let theirs = gdb.output.split(separator: "\n").filter { $0.hasPrefix("FRAME ") }
      .compactMap { UInt64($0.dropFirst(6)) }
    #expect(!theirs.isEmpty)
    #expect(ours == theirs)
  }
}
