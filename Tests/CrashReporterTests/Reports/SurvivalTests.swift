import CrashReporter
import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSTestSupport
import Testing

@Suite("A record of a crash") struct SurvivalTests {
  @Test("is whole or absent wherever the process is killed while writing it")
  func killed() async throws {
    let folder = try TemporaryFolder()
    let program = Command.products.appending(path: "CrashMatrix")
    var random = SystemRandomNumberGenerator()
    for _ in 0..<30 {
      let process = Process()
      process.executableURL = program
      process.arguments = ["many-threads", "--report-to", folder.path]
      process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
      process.standardError = FileHandle.nullDevice
      try process.run()
      // From before the installation to after the end.
      usleep(UInt32.random(in: 5_000...80_000, using: &random))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    let result = try await CrashReporter.processPendingReports(in: folder.path) { _ in }
    for report in result.made {
      let read = try ReportFile.read(folder.path + "/uploaded/" + URL(filePath: report.path).lastPathComponent)
      #expect(read.exception?.signal == "SIGSEGV")
      #expect(read.crashedThread?.frames.isEmpty == false)
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
    #expect(left.allSatisfy { $0 == "uploaded" }, "\(left)")
  }

  /// The sections in the order of writing: process, crash, crashed thread, images, memory, breadcrumbs, end.
  @Test(
    "is of use once the crashed thread is written, whatever section the process is killed in",
    arguments: [1, 2, 3, 4, 5, 7, 9])
  func killedInSection(_ section: Int) async throws {
    var folder = try TemporaryFolder()
    // Its watchdog comes 375 ms after the crash: on a busy machine that may be before we look.
    while try !killed(hangingIn: section, folder: folder.path) { folder = try TemporaryFolder() }
    let result = try await CrashReporter.processPendingReports(in: folder.path)
    #expect(result.made.count == (section > 3 ? 1 : 0))
    for report in result.made {
      let read = try ReportFile.read(report.path)
      #expect(read.isPartial)
      #expect(read.crashedThread?.frames.isEmpty == false)
    }
  }

  /// The number of the system call that `pause` makes: pause itself, ppoll where that does not exist.
  #if arch(x86_64)
    private static let pause = "34 "
  #else
    private static let pause = "73 "
  #endif

  /// Tells whether a program was killed while it hung in `section`: once its main thread waits in `pause`.
  private func killed(hangingIn section: Int, folder: String) throws -> Bool {
    let process = Process()
    process.executableURL = Command.products.appending(path: "CrashMatrix")
    process.arguments = ["null-write", "--report-to", folder, "--hang", "\(section)"]
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    try process.run()
    let call = "/proc/\(process.processIdentifier)/syscall"
    var hangs = false
    while !hangs, process.isRunning {
      hangs = (try? String(contentsOfFile: call, encoding: .utf8))?.hasPrefix(Self.pause) ?? false
      if !hangs { usleep(1000) }
    }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    return hangs && process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL
  }

  @Test("comes from each of 200 crashes in a row")
  func manyCrashes() async throws {
    let folder = try TemporaryFolder()
    let program = Command.products.appending(path: "CrashMatrix").path
    let script = "i=0; while [ $i -lt 200 ]; do \"$0\" null-write --report-to \"$1\"; i=$((i+1)); done 2>/dev/null"
    _ = try Command.run("/bin/sh", ["-c", script, program, folder.path], environment: ["SWIFT_BACKTRACE": "enable=no"])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count == 200)
    #expect(names.allSatisfy { $0.hasSuffix(".raw") })
    for name in names { #expect(try RawRecord.read(folder.path + "/" + name).isPartial == false) }
    let result = try await CrashReporter.processPendingReports(in: folder.path)
    #expect(result.made.count == 20)
    // The newest 20 stay.
    let reports = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".ips") }
    #expect(reports.sorted() == names.sorted().suffix(20).map { $0.replacingOccurrences(of: ".raw", with: ".ips") })
  }
}
