import CrashReporter
import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@Suite("A record of a hang") struct HangKillTests {
  /// 200 kills by `MPAAS_FUZZ_ROUNDS=200`.
  @Test("becomes a report at the next start, where the program was killed while it hung")
  func killed() async throws {
    let kinds = ["busy", "lock", "read", "sync"]
    for round in 0..<SeededRandom.rounds(or: 4) {
      let folder = try TemporaryFolder()
      let kind = kinds[round % kinds.count]
      try killWhenSevere(kind, folder)
      let result = try await CrashReporter.processPendingReports(in: folder.path)
      #expect(result.made.count == 1)
      let report = try ReportFile.read(try #require(result.made.first).path)
      #expect(report.kind == .hang)
      let hang = try #require(report.hang)
      #expect(!hang.hasEnded && hang.severity >= .severe && hang.duration >= 0.5)
      #expect(hang.activity == (kind == "busy" ? .busy : .waiting))
      #expect(!hang.samples.isEmpty && hang.agreeing * 2 > hang.samples.count)
      #expect(report.faultingThread == 0 && report.threads[0].frames.count > 3)
      #expect(report.application.version == "1.0")
      #expect(!report.images.isEmpty && report.threads.count > 1)
    }
  }

  @Test("is written and read again as it is")
  func roundTrip() async throws {
    let folder = try TemporaryFolder()
    try killWhenSevere("busy", folder)
    let record = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasPrefix("hang-") })
    let report = try RawRecord.read(folder.path + "/" + record)
    let again = try IPSWriter.bytes(of: report).withUnsafeBytes { try IPSReader.read($0) }
    #expect(again.hang == report.hang && again.kind == .hang)
  }

  private func killWhenSevere(_ kind: String, _ folder: TemporaryFolder) throws {
    let process = Process()
    process.executableURL = Command.products.appending(path: "HangSubject")
    process.arguments = ["forever", kind, "--directory", folder.path]
    let output = Pipe()
    process.standardOutput = output
    try withNoSignalsBlocked { try process.run() }
    var text = ""
    while !text.contains("severe") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(text.contains("severe"))
  }

  @Test("is not there where nothing hung: idle, under load, stopped and continued")
  func quiet() throws {
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = Command.products.appending(path: "HangSubject")
    process.arguments = ["idle", "3", "--directory", folder.path]
    let output = Pipe()
    process.standardOutput = output
    try withNoSignalsBlocked { try process.run() }
    let ready = output.fileHandleForReading.availableData
    #expect(String(decoding: ready, as: UTF8.self).hasPrefix("ready"))
    for _ in 0..<3 {
      kill(process.processIdentifier, SIGSTOP)
      usleep(700_000)
      kill(process.processIdentifier, SIGCONT)
      usleep(100_000)
    }
    let rest = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(rest.contains("\"hangs\":0"), "\(rest)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.hasPrefix("hang-") })
  }
}
