import Foundation
import MPaaSCrashReport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

@Suite("A program run under observation", .tool("gcc"), .tool("addr2line"))
struct TracedRunTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let signal: Int32
    let exception: String
    let code: String?
    let function: String
    var testDescription: String { name }

    init(_ name: String, _ signal: Int32, _ exception: String, _ code: String?, _ function: String) {
      self.name = name
      self.signal = signal
      self.exception = exception
      self.code = code
      self.function = function
    }
  }

  static let cases = [
    Case("null-read", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "null_read"),
    Case("null-write", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "null_write"),
    Case("divide", SIGFPE, "EXC_ARITHMETIC", "FPE_INTDIV", "divide"),
    Case("illegal", SIGILL, "EXC_BAD_INSTRUCTION", "ILL_ILLOPN", "illegal"),
    Case("breakpoint", SIGTRAP, "EXC_BREAKPOINT", "SI_KERNEL", "breakpoint"),
    Case("overflow", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "overflow"),
    Case("overflow-handled", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "overflow"),
    Case("overflow-alternate", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "overflow"),
    Case("smash", SIGABRT, "EXC_CRASH", "SI_TKILL", "smash"),
    Case("wild-jump", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "wild_jump"),
    Case("bus", SIGBUS, "EXC_BAD_ACCESS", "BUS_ADRERR", "bus"),
    Case("abort", SIGABRT, "EXC_CRASH", "SI_TKILL", "main"),
    Case("assertion", SIGABRT, "EXC_CRASH", "SI_TKILL", "failed_assertion"),
    Case("corrupt-heap", SIGABRT, "EXC_CRASH", "SI_TKILL", "corrupt_heap"),
    Case("raise", SIGSEGV, "EXC_BAD_ACCESS", "SI_TKILL", "main"),
    Case("handled-raise", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "null_write"),
    Case("handled-raise-alternate", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "null_write"),
    Case("handled-return", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "null_write"),
    Case("thread", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "null_write"),
    Case("threads-200", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "null_write"),
    Case("malloc-lock", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "null_write"),
    Case("two-threads", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "null_write"),
    Case("forbidden", SIGSYS, "EXC_SYSCALL", "SI_KERNEL", "forbidden"),
    Case("trapped", SIGSYS, "EXC_SYSCALL", "SYS_SECCOMP", "forbidden"),
    Case("main-gone", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "null_write"),
    Case("exec", SIGFPE, "EXC_ARITHMETIC", "FPE_INTDIV", "divide"),
    Case("exec-thread", SIGSEGV, "EXC_BAD_ACCESS", "SEGV_MAPERR", "null_write"),
  ]

  @Test("ends with its signal and leaves a report of the fault", arguments: cases)
  func crash(_ sample: Case) throws {
    let observed = try Observed.run(.crashes(), [sample.name])
    #expect(observed.outcome.signal == sample.signal)
    #expect(observed.outcome.status == 128 + sample.signal)
    let report = try observed.report
    #expect(report.exception?.signalNumber == sample.signal)
    #expect(report.exception?.type == sample.exception)
    #expect(report.exception?.codeName == sample.code)
    #expect(report.origin == .traced)
    #expect(report.notes.isEmpty)
    #expect(try observed.functions().first == sample.function)
    #expect(FileManager.default.fileExists(atPath: observed.core))
  }

  @Test(
    "shows the fault, not what its own handler did after it",
    arguments: [
      ("handled-abort", 128 + SIGABRT), ("handled-exit", 3), ("crash-in-handler", 128 + SIGFPE),
    ])
  func diesInHandler(_ name: String, _ status: Int32) throws {
    let observed = try Observed.run(.crashes(), [name])
    #expect(observed.outcome.status == status)
    let report = try observed.report
    #expect(report.exception?.signal == "SIGSEGV")
    #expect(report.exception?.codeName == "SEGV_MAPERR")
    #expect(report.exception?.address == 0)
    #expect(try observed.functions().first == "null_write")
  }

  @Test(
    "leaves no report where it does not crash",
    arguments: [
      ("ok", 0), ("exit3", 3), ("recovered", 4), ("ignored", 5), ("killed", 137), ("terminated", 143),
      ("stop-child", 9),
    ])
  func noCrash(_ name: String, _ status: Int32) throws {
    let observed = try Observed.run(.crashes(), [name])
    #expect(observed.outcome.status == status)
    #expect(observed.reports.isEmpty)
  }

  @Test("forgets faults that it recovered from")
  func recovered() throws {
    let observed = try Observed.run(.crashes(), ["recovered-then-divide"])
    #expect(try observed.report.exception?.signal == "SIGFPE")
    #expect(try observed.functions().first == "divide")
  }

  @Test("keeps its own status while a child crashes", arguments: ["fork-child", "vfork-child"])
  func child(_ name: String) throws {
    let observed = try Observed.run(.crashes(), [name])
    #expect(observed.outcome.status == 40 + SIGSEGV)
    #expect(try observed.report.process.pid != observed.outcome.process)
    #expect(try observed.functions().first == "null_write")
  }

  @Test("lets children that outlive it go on, their standard error too")
  func leftBehind() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "left")
    let observed = try Observed.run(.crashes(), ["leave-child", file.path])
    #expect(observed.outcome.status == 0)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    Thread.sleep(forTimeInterval: 1)
    #expect(try String(contentsOf: file, encoding: .utf8) == "still here\n")
    let errors = try String(contentsOf: observed.folder.url.appending(path: "err"), encoding: .utf8)
    #expect(errors == "left behind\n")
  }

  @Test("has its newest words in the report, whole lines, and writes them as ever")
  func words() throws {
    let observed = try Observed.run(.crashes(), ["words"])
    let lines = try #require(try observed.report.lastWords["stderr"])
    #expect(lines.last == "line 999")
    #expect((300...500).contains(lines.count))
    #expect(lines.first == "line \(1000 - lines.count)")
    let errors = try String(contentsOf: observed.folder.url.appending(path: "err"), encoding: .utf8)
    #expect(errors.split(separator: "\n").count == 1000)
    #expect(try Observed.run(.crashes(), ["words"], words: false).report.lastWords.isEmpty)
  }

  @Test(
    "has the C library's last words",
    arguments: [
      ("assertion", "Assertion `zero == 1 && \"the answer is one\"' failed."), ("smash", "stack smashing detected"),
      ("corrupt-heap", "free(): double free detected"),
    ])
  func abortMessage(_ name: String, _ text: String) throws {
    let words = try Observed.run(.crashes(), [name], words: false).report.lastWords["libc.so.6"] ?? []
    #expect(words.contains { $0.contains(text) }, "\(words)")
  }

  @Test("is described: name, user, parent, times, threads with names and registers, images with build IDs")
  func description() throws {
    let observed = try Observed.run(.crashes(), ["thread"])
    let report = try observed.report
    #expect(report.process.pid == observed.outcome.process)
    #expect(report.process.name == "crashes")
    #expect(report.process.path == observed.program)
    #expect(report.process.userID == getuid())
    #expect(report.process.parentPID == getpid())
    #expect(report.process.residentMemory ?? 0 > 0)
    #expect((0...60).contains(report.process.uptime ?? -1))
    #expect(report.launched != nil)
    #expect(!report.system.name.isEmpty)
    #expect(report.system.kernel != nil)
    #expect(report.threads.count == 2)
    #expect(report.faulting?.name == "crasher")
    let counter = report.faulting?.registers?["rip"] ?? report.faulting?.registers?["pc"]
    #expect(counter == report.faulting?.frames.first?.address)
    let main = try #require(report.images.first { $0.path == observed.program })
    #expect(main.buildID.count == 40)
    #expect(report.images.contains { $0.name == "libc.so.6" && !$0.buildID.isEmpty })
  }

  @Test("has 200 threads, each with its stack")
  func manyThreads() throws {
    let report = try Observed.run(.crashes(), ["threads-200"]).report
    #expect(report.threads.count == 200)
    #expect(report.threads.allSatisfy { !$0.frames.isEmpty })
    #expect(report.notes.isEmpty)
  }

  @Test("may be linked statically, with a core to compare with", .tool("gdb"))
  func staticProgram() throws {
    let observed = try Observed.run(.crashes(["-O1", "-g", "-static"]), ["null-write"])
    #expect(observed.outcome.signal == SIGSEGV)
    #expect(try observed.functions().first == "null_write")
  }

  @Test("leaves nothing behind here after 200 crashes: no descriptor, no child, no report missing")
  func oftenCrashed() throws {
    func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
    let program = try SampleProgram.crashes()
    let before = try descriptors()
    for _ in 0..<200 {
      var run = TracedRun(command: [program.path, "null-write"])
      run.forwardsSignals = false
      var reports = 0
      let outcome = try run.run { report in
        if report.exception?.signal == "SIGSEGV", report.faulting?.frames.isEmpty == false { reports += 1 }
      }
      #expect(outcome.signal == SIGSEGV)
      #expect(reports == 1)
    }
    // Other tests are at work beside this one and have descriptors of their own for a while.
    let deadline = ContinuousClock.now + .seconds(60)
    while try descriptors() >= before + 40, ContinuousClock.now < deadline { usleep(50_000) }
    #expect(try descriptors() < before + 40)
  }

  @Test(
    "is told apart from a command that cannot be started",
    arguments: [
      ("no-such-command-of-ours", CaptureError.Code.commandNotFound), ("/etc/passwd", .commandNotExecutable),
    ])
  func cannotStart(_ command: String, _ code: CaptureError.Code) throws {
    var run = TracedRun(command: [command])
    run.forwardsSignals = false
    let error = #expect(throws: CaptureError.self) { _ = try run.run { _ in } }
    #expect(error?.code == code)
  }

  @Test(
    "has the frames that gdb finds in its core", .tool("gdb"),
    arguments: [
      "null-write", "abort", "threads-200", "thread", "wild-jump", "handled-return", "bus", "smash", "corrupt-heap",
    ])
  func likeDebugger(_ name: String) throws {
    for flags in [["-O0", "-g"], ["-O2"]] {
      let observed = try Observed.run(.crashes(flags), [name])
      let report = try observed.report
      let expected = try Debugger.stacks(program: observed.program, core: observed.core)
      #expect(expected.count == report.threads.count)
      let crashed = report.faultingThread.map { report.threads[$0].id }
      for (thread, addresses) in expected {
        // Between the report and the core, a thread that did not crash may have gone on.
        if name == "thread", crashed.map({ $0 != UInt64(thread) }) ?? false { continue }
        // gdb goes on behind an address that is no code where a stack was overwritten.
        let end = addresses.dropFirst().firstIndex { address in !report.images.contains { $0.contains(address) } }
        let addresses = Array(addresses.prefix((end ?? addresses.count) + 1))
        // The other threads went on for a moment before the core was written: a system call may have begun again.
        let skipped = thread == report.faulting?.id ? 0 : 1
        let found = report.addresses(of: thread).dropFirst(skipped)
        #expect(Array(found) == Array(addresses.dropFirst(skipped)), "thread \(thread)")
      }
    }
  }
}
