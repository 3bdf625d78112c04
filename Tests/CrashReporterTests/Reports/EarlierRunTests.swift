import CrashReporter
import Foundation
import MPaaSTestSupport
import Testing

@Suite("How an earlier run ended") struct EarlierRunTests {
  private func name(_ folder: TemporaryFolder, _ suffix: String) throws -> (process: Int32, time: Double) {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let name = try #require(names.first { $0.hasSuffix(suffix) })
    let parts = name.dropLast(suffix.count).split(separator: "-")
    return (try #require(Int32(parts[2])), try #require(Double(parts[1])) / 1e6)
  }

  @Test("a crash is known by its record, its report, and its report that was handed over")
  func crashed() async throws {
    let run = try Crashed("abort")
    let (process, time) = try name(run.folder, ".raw")
    func end() -> CrashReporter.End { CrashReporter.end(ofProcess: process, at: time + 2, in: run.folder.path) }
    #expect(end() == .crashed)
    _ = try await CrashReporter.processPendingReports(in: run.folder.path)
    #expect(end() == .crashed)
    _ = try await CrashReporter.processPendingReports(in: run.folder.path) { _ in }
    #expect(end() == .crashed)
    // Another run of the same number, and another number.
    #expect(CrashReporter.end(ofProcess: process, at: time - 86_400, in: run.folder.path) == .ended)
    #expect(CrashReporter.end(ofProcess: process + 1, at: time, in: run.folder.path) == .ended)
    #expect(CrashReporter.end(ofProcess: process, at: time, in: run.folder.path + "/none") == .unknown)
  }

  @Test("a run that was killed is known before its files are cleared away, and after")
  func killed() async throws {
    let folder = try TemporaryFolder()
    // A process that has not crashed leaves room for a record, and nothing in it.
    let time = 1_800_000_000.25
    // Above the highest number that Linux gives to a process: no running one has it.
    let process: Int32 = 5_000_000
    let file = folder.path + "/crash-\(Int(time * 1e6))-\(process).part"
    try Data(count: 4096).write(to: URL(filePath: file))
    func end() -> CrashReporter.End { CrashReporter.end(ofProcess: process, at: time, in: folder.path) }
    #expect(end() == .killed)
    _ = try await CrashReporter.processPendingReports(in: folder.path)
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(end() == .killed)
  }
}
