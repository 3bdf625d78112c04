import Foundation
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash
@testable import MPaaSSymbols

@Suite("A minidump with Breakpad's files", .fixtures) struct MinidumpSymbolFileTests {
  private func read(_ name: String, _ search: DebugFileSearch) throws -> CrashReport {
    let bytes = try Bytes.mapping(Fixture.path("crash/minidump/" + name))
    return try ReportFile.read(bytes.buffer, search: search).report
  }

  @Test("has the frames that it has with the program itself, and names")
  func sameAsProgram() throws {
    let text = DebugFileSearch(paths: [try Fixture.path("crash/elf/symbolic_crash.sym")], roots: [])
    let program = DebugFileSearch(paths: [try Fixture.path("crash/elf/symbolic_crash")], roots: [])
    let ours = try read("linux-mini.dmp", text)
    let theirs = try read("linux-mini.dmp", program)
    func frames(_ report: CrashReport) -> [[String]] {
      report.threads.map { thread in
        thread.frames.map { "\($0.address) \($0.extra["minidump"]?.object?["trust"]?.string ?? "")" }
      }
    }
    // The text has a caller for `_start`, which the program's own tables end with.
    let known = frames(theirs)
    #expect(zip(frames(ours), known).allSatisfy { $0.starts(with: $1) })
    #expect(known.count == ours.threads.count)
    #expect(frames(ours).joined().contains { $0.hasSuffix("cfi") })
    let symbolicated = ReportSymbolicator.live(text).symbolicate(ours).report
    #expect(symbolicated.threads[0].frames[0].calls.map(\.function) == ["main"])
    #expect(symbolicated.threads[0].frames[0].calls.first?.offset == 0x102)
    #expect(symbolicated.threads[0].frames[7].calls.map(\.function) == ["_start"])
  }

  @Test("of Windows finds them by the PDB's GUID")
  func windows() throws {
    let folder = try TemporaryFolder()
    let text = """
      MODULE windows x86 5A9832E5287241C1838ED98914E9B7FF1 test_app.pdb
      FILE 1 c:\\test_app.cc
      FUNC 4200 200 0 crasher
      4200 200 58 1

      """
    try Data(text.utf8).write(to: folder.url.appending(path: "test_app.sym"))
    let search = DebugFileSearch(paths: [folder.path], roots: [])
    let report = ReportSymbolicator.live(search).symbolicate(try read("test.dmp", search)).report
    let calls = report.threads.flatMap(\.frames).flatMap(\.calls)
    #expect(calls.contains { $0.function == "crasher" && $0.line == 58 })
  }
}
