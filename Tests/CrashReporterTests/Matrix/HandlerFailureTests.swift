import Foundation
import MPaaSCrash
import MPaaSCrashReport
import MPaaSTestSupport
import Testing

@Suite("A crash handler that fails itself") struct HandlerFailureTests {
  /// The kinds of sections, as `mp_record_kind` numbers them.
  @Test("leaves a partial report that says so, and the first signal stands", arguments: 1...9 as ClosedRange<Int>)
  func partial(_ section: Int) throws {
    let crashed = try Crashed("null-write", options: ["--fault", "\(section)"])
    #expect(crashed.outcome.signal == SIGSEGV)
    let written = try crashed.files.filter { $0.hasSuffix(".raw") || $0.hasSuffix(".part") }
    let name = try #require(written.first)
    let report = try RawRecord.read(crashed.folder.path + "/" + name)
    // No note is written in this case, so that section never comes; neither do last words.
    let comes = section != 6 && section != 8
    #expect(report.isPartial == comes)
    #expect(report.exception?.signal == "SIGSEGV")
    #expect(report.crashedThread?.frames.isEmpty == false)
    if comes && section != 9 {
      #expect(report.notes.contains { $0.contains("handler itself failed") }, "\(report.notes)")
      #expect(report.threads.count == 3)
    }
  }

  @Test("that hangs is ended by its watchdog, with what it has", arguments: [4, 5, 9])
  func hanging(_ section: Int) throws {
    let crashed = try Crashed("null-write", options: ["--hang", "\(section)"])
    #expect(crashed.outcome.signal == SIGSEGV)
    let report = try crashed.report()
    #expect(report.isPartial)
    #expect(report.exception?.signal == "SIGSEGV")
    #expect(report.crashedThread?.frames.isEmpty == false)
    #expect(report.notes.contains { $0.hasPrefix("The time limit passed") } || section == 9)
  }

  @Test("needs no symbol bound by the loader while it works")
  func bindings() throws {
    let folder = try TemporaryFolder()
    let outcome = try Command.run(
      "CrashMatrix", ["null-write", "--report-to", folder.path],
      environment: ["SWIFT_BACKTRACE": "enable=no", "LD_DEBUG": "bindings"])
    #expect(outcome.signal == SIGSEGV)
    let lines = outcome.errors.split(separator: "\n")
    // The first breadcrumb follows the installation.
    let installed = try #require(lines.firstIndex { $0.contains("`strnlen'") })
    let ours = [
      "pwrite", "pwrite64", "rename", "unlink", "ftruncate", "ftruncate64", "open", "open64", "read", "close",
      "syscall",
      "memcpy", "memset", "memmove", "memcmp", "memchr", "strlen", "strcmp", "strstr", "sigaction", "sigprocmask",
      "sigemptyset", "sigaddset", "clock_gettime", "getpid", "getppid", "getuid", "__errno_location", "flock",
    ]
    // The Swift runtime may be at work on other threads until they are stopped.
    for line in lines[installed...] where !line.contains("binding file") || !line.contains("libswift") {
      #expect(!ours.contains { line.contains("`\($0)'") }, "\(line)")
    }
  }
}
