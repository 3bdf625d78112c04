import Foundation
import MPaaSTestSupport
import Testing

/// Some of the builds of `scripts/unwind-matrix`; the script by itself runs all.
@Suite("Unwinding beside gdb") struct UnwindMatrixTests {
  private static let hasTools = ["gdb", "gcc", "clang", "objcopy"].allSatisfy { Command.find($0) != nil }

  @Test(
    "live, in process, of cores and of minidumps, finds the frames that gdb finds", .enabled(if: hasTools),
    arguments: ["c-debug-frame", "c-lld-small", "c-static", "cxx-clang"])
  func matrix(_ build: String) throws {
    let script = Fixture.package.appending(path: "scripts/unwind-matrix/run").standardizedFileURL.path
    let command = Command.mpaas.path
    let outcome = try Command.run(script, ["--mpaas", command, "--only", "^\(build)$"])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.contains(" 0 different, 0 not possible"))
  }
}
