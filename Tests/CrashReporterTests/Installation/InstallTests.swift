import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTestSupport
import Testing

@testable import CrashReporter

@Suite("Installing the crash reporter") struct InstallTests {
  /// Runs CrashMatrix under a limit of the shell's.
  private func limited(_ command: String, directory: String) throws -> Command.Outcome {
    let program = Command.products.appending(path: "CrashMatrix").path
    return try Command.run(
      "/bin/sh", ["-c", "\(command); exec \"$0\" none --report-to \"$1\"", program, directory],
      environment: ["SWIFT_BACKTRACE": "enable=no"])
  }

  @Test("fails with a clear error where the directory cannot be made")
  func unwritable() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)
    let outcome = try limited(":", directory: file.path + "/reports")
    #expect(outcome.status == 73)
    #expect(outcome.output.contains("cannot be written into \(file.path)/reports: Not a directory"))
  }

  @Test("fails with a clear error on a file system that takes no files")
  func readOnly() throws {
    let outcome = try limited(":", directory: "/proc/self")
    #expect(outcome.status == 73)
    #expect(outcome.output.contains("cannot be written into /proc/self"))
  }

  @Test("fails with a clear error where files may not be large enough")
  func fileSize() throws {
    let folder = try TemporaryFolder()
    let outcome = try limited("ulimit -f 64", directory: folder.path)
    #expect(outcome.status == 73)
    #expect(outcome.output.contains("a limit of this process"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("fails with a clear error where no more files may be opened")
  func openFiles() throws {
    let folder = try TemporaryFolder()
    let outcome = try limited("ulimit -n 3", directory: folder.path)
    // With three files even the runtime cannot start everywhere; what matters is that nothing hangs or lies.
    #expect(outcome.status != 0)
  }

  @Test("fails with a clear error on a full disk", .enabled(if: SmallDisk.isPossible))
  func fullDisk() throws {
    let disk = try SmallDisk(kilobytes: 256)
    let outcome = try Command.run("CrashMatrix", ["none", "--report-to", disk.path])
    #expect(outcome.status == 73)
    #expect(outcome.output.contains("no room for a crash report"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == [])
  }

  @Test("reserves room, so that a disk that fills up later does not matter", .enabled(if: SmallDisk.isPossible))
  func reserved() throws {
    let disk = try SmallDisk(kilobytes: 640)
    let outcome = try Command.run(
      "CrashMatrix", ["many-threads", "--report-to", disk.path, "--fill", disk.path + "/filler"],
      environment: ["SWIFT_BACKTRACE": "enable=no"])
    #expect(outcome.signal == SIGSEGV)
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: disk.path).first { $0.hasSuffix(".raw") })
    #expect(try RawRecord.read(disk.path + "/" + name).threads.count == 201)
  }

  @Test("works from C with defaults, in the directory of the environment")
  func service() throws {
    let folder = try TemporaryFolder()
    for variable in ["MPAAS_CRASH_DIRECTORY", "XDG_DATA_HOME"] {
      let outcome = try Command.run(
        "CrashMatrix", ["abort", "--service"], environment: [variable: folder.path, "SWIFT_BACKTRACE": "enable=no"])
      #expect(outcome.signal == SIGABRT)
    }
    for path in [folder.path, folder.path + "/mpaas/crashes"] {
      let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".raw") }
      #expect(names.count == 1)
      for name in names { #expect(try RawRecord.read(path + "/" + name).application.name == "CrashMatrix") }
    }
  }

  @Test("leaves nothing behind when the program ends in order")
  func orderly() throws {
    let crashed = try Crashed("none")
    #expect(crashed.outcome.status == 0)
    #expect(try crashed.files == [])
  }

  @Test("says what is wrong in both languages' keys and in words")
  func errorTexts() throws {
    let error = CrashReporter.InstallError(.limit, directory: "/x", systemError: EMFILE)
    #expect(error.isLimitReached)
    #expect(!error.isDiskFull)
    #expect(error.diagnostic.id.description == "crash-limit-reached")
    #expect(error.description == "a limit of this process prevents crash reports in /x: Too many open files")
  }
}
