import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols
import MPaaSTestSupport
import Testing

@Suite("Symbols of an Apple report") struct MachOSymbolsTests {
  /// A report as Apple's: it tells where images lie, not how far they were moved.
  private func report(_ addresses: [UInt64]) -> CrashReport {
    var report = CrashReport()
    let base: UInt64 = 0x1_02d4_8000
    report.images = [
      CrashReport.Image(
        base: base, size: 0x8000, buildID: "4c4c447355553144a1dbec9d86a5d441", path: "/private/var/X.app/X",
        architecture: "arm64e", slide: base)
    ]
    var thread = CrashReport.Thread(id: 1)
    thread.frames = addresses.map { CrashReport.Frame(address: base + $0) }
    report.threads = [thread]
    return report
  }

  @Test("come from the dSYM of the same UUID, wherever the image lay, and for signed addresses too", .fixtures)
  func dSYM() throws {
    let search = DebugFileSearch(paths: [try Fixture.path("crash/macho/matrix")], roots: [])
    var report = report([0x384, 0x380])
    let signed = CrashReport.Frame(address: report.threads[0].frames[0].address | 0x102e << 48)
    report.threads[0].frames.insert(signed, at: 0)
    let result = ReportSymbolicator.live(search).symbolicate(report)
    let calls = result.report.threads[0].frames.map { $0.calls.last }
    #expect(calls.map { $0?.function } == ["outer(int)", "geo::Box<int>::area() const", "geo::Box<int>::area() const"])
    #expect(calls.last??.line == 2)
    #expect(result.report.threads[0].frames[0].address == signed.address)
    #expect(result.missing.isEmpty)
  }
}
