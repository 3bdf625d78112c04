import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols
import MPaaSTestSupport
import Testing

/// Tells whether this build reads the Mach-O files of dSYM bundles.
private let readsMachO: Bool = {
  let name = "crash/crashprobe/release-arm64/dSYMs/54039061-A983-3323-A49D-837A894D667F.dSYM/Contents/Resources/DWARF"
  guard Fixture.root != nil, let path = try? Fixture.path(name + "/CrashProbeiOS"), let bytes = try? Bytes.mapping(path)
  else { return false }
  return ObjectFile.matches(bytes)
}()

@Suite("CrashProbe's reports", .fixtures, .enabled(if: readsMachO, "Mach-O files are not read"))
struct CrashProbeSymbolsTests {
  @Test("have the functions, files and lines that are expected, once symbolicated")
  func expected() throws {
    let search = DebugFileSearch(paths: [try Fixture.path("crash/crashprobe/release-arm64/dSYMs")])
    let symbolicator = ReportSymbolicator.live(search)
    for (name, rows) in Dictionary(grouping: try ExpectedFrame.all(), by: \.report) {
      let path = try Fixture.path("crash/crashprobe/release-arm64/\(name).json")
      let report = symbolicator.symbolicate(try ReportFile.read(path)).report
      let index = try #require(report.faultingThread)
      for row in rows {
        let calls = report.threads[index].frames[row.frame].calls
        #expect(
          calls.contains { $0.function == row.function || $0.symbol == row.function },
          "\(name) \(row.frame): \(calls.map(\.function))")
        guard row.line > 0 else { continue }
        #expect(
          calls.contains { $0.line == row.line && $0.file?.hasSuffix(row.file) == true },
          "\(name) \(row.frame): \(calls.map { "\($0.file ?? "") \($0.line ?? 0)" }) not \(row.file) \(row.line)")
      }
    }
  }
}
