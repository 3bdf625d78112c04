import CrashReporter
import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSTestSupport
import Synchronization
import Testing

@Suite("Reports of earlier runs") struct ProcessReportsTests {
  struct Refusal: Error, CustomStringConvertible {
    let description = "the server is\nout for lunch"
  }

  @Test("become .ips files and are handed over once")
  func handedOver() async throws {
    let crashed = try Crashed("abort")
    let offered = Mutex<[String]>([])
    let first = try await CrashReporter.processPendingReports(in: crashed.folder.path) { report in
      offered.withLock { $0.append(report.path) }
      let read = try ReportFile.read(report.path)
      #expect(read.exception?.signal == "SIGABRT")
    }
    #expect(first.made.count == 1)
    #expect(first.uploaded == first.made)
    #expect(first.kept.isEmpty)
    let second = try await CrashReporter.processPendingReports(in: crashed.folder.path) { report in
      offered.withLock { $0.append(report.path) }
    }
    #expect(second.made.isEmpty)
    #expect(second.uploaded.isEmpty)
    #expect(offered.withLock { $0.count } == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: crashed.folder.path + "/uploaded").count == 1)
  }

  @Test("that are not taken stay, are marked, and are offered again")
  func kept() async throws {
    let crashed = try Crashed("abort")
    for attempt in 1...3 {
      let result = try await CrashReporter.processPendingReports(in: crashed.folder.path) { report in
        #expect(report.attempts == attempt - 1)
        throw Refusal()
      }
      #expect(result.kept.map(\.attempts) == [attempt])
    }
    let mark = try #require(crashed.files.first { $0.hasSuffix(".retry") })
    let lines = try String(contentsOfFile: crashed.folder.path + "/" + mark, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.hasSuffix("the server is out for lunch") })
    let result = try await CrashReporter.processPendingReports(in: crashed.folder.path) { _ in }
    #expect(result.uploaded.count == 1)
    #expect(try crashed.files.contains { $0.hasSuffix(".retry") } == false)
  }

  @Test("wait where nobody takes them, and keep all that the record says")
  func noUploader() async throws {
    let crashed = try Crashed("swift-fatal-error")
    let record = try crashed.report()
    let result = try await CrashReporter.processPendingReports(in: crashed.folder.path)
    let report = try ReportFile.read(try #require(result.made.first).path)
    #expect(report.lastWords == record.lastWords)
    #expect(report.threads == record.threads)
    #expect(report.images == record.images)
    #expect(report.breadcrumbs == record.breadcrumbs)
    #expect(report.application == record.application)
    #expect(try crashed.files.filter { !$0.hasPrefix(".") }.count == 1)
  }

  @Test("are made of the unfinished record of a dead process, and useless ones go")
  func unfinished() async throws {
    let crashed = try Crashed("null-read")
    let name = try #require(crashed.files.first)
    let bytes = try Data(contentsOf: URL(filePath: crashed.folder.path + "/" + name))
    let path = crashed.folder.path
    try FileManager.default.removeItem(atPath: path + "/" + name)
    // Half of a record, one that has only its header, and one that is all reserved space.
    try (bytes.prefix(bytes.count / 2) + Data(count: 9000)).write(to: URL(filePath: path + "/crash-1-1.part"))
    try bytes.prefix(16).write(to: URL(filePath: path + "/crash-2-2.part"))
    try Data(count: 4096).write(to: URL(filePath: path + "/crash-3-3.part"))
    try Data(count: 64).write(to: URL(filePath: path + "/crash-3-3.crumbs"))
    try Data("rubbish".utf8).write(to: URL(filePath: path + "/crash-4-4.raw"))
    let result = try await CrashReporter.processPendingReports(in: path)
    #expect(result.made.map { URL(filePath: $0.path).lastPathComponent } == ["crash-1-1.ips"])
    let report = try ReportFile.read(path + "/crash-1-1.ips")
    #expect(report.isPartial)
    #expect(report.exception?.signal == "SIGSEGV")
    #expect(try crashed.files.filter { !$0.hasPrefix(".") } == ["crash-1-1.ips"])
  }

  @Test("of living processes are left alone")
  func living() async throws {
    let folder = try TemporaryFolder()
    let part = folder.path + "/crash-1-1.part"
    try Data(count: 64).write(to: URL(filePath: part))
    let descriptor = open(part, O_RDWR)
    flock(descriptor, LOCK_EX)
    let result = try await CrashReporter.processPendingReports(in: folder.path)
    #expect(result.made.isEmpty)
    #expect(FileManager.default.fileExists(atPath: part))
    close(descriptor)
    _ = try await CrashReporter.processPendingReports(in: folder.path)
    #expect(!FileManager.default.fileExists(atPath: part))
  }
}
