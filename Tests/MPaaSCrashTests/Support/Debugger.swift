import Foundation
import MPaaSCrashReport
import MPaaSTestSupport
import Testing

@testable import MPaaSCrash

/// The answers of gdb about a core: the trusted word on stacks.
enum Debugger {
  /// Prints each thread's frames as they are on the stack: neither inlined calls nor the tail calls that gdb infers.
  private static let script = """
    import gdb
    for thread in gdb.selected_inferior().threads():
        thread.switch()
        frame, addresses = gdb.newest_frame(), []
        while frame is not None and len(addresses) < 60:
            if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
                addresses.append("%x" % frame.pc())
            try:
                frame = frame.older()
            except gdb.error:
                break
        print("STACK", thread.ptid[1], *addresses)
    """

  /// The program counters of each thread's frames, innermost first, at most 60.
  static func stacks(program: String, core: String) throws -> [UInt64: [UInt64]] {
    try stacks([program, core])
  }

  /// The same of a live process.
  static func stacks(process: Int32) throws -> [UInt64: [UInt64]] {
    try stacks(["-p", "\(process)"])
  }

  private static func stacks(_ target: [String]) throws -> [UInt64: [UInt64]] {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "stacks.py")
    try Data(script.utf8).write(to: file)
    // Foundation's threads block signals and programs inherit that, but gdb waits for SIGCHLD of what it attaches to.
    let unblocked = """
      import os, signal, sys
      signal.pthread_sigmask(signal.SIG_SETMASK, [])
      os.execvp(sys.argv[1], sys.argv[1:])
      """
    let outcome = try Command.run(
      "python3",
      ["-c", unblocked, "timeout", "60", "gdb", "-nx", "-batch", "-ex", "set backtrace past-main on"]
        + ["-ex", "set debuginfod enabled off"] + target + ["-x", file.path])
    var stacks: [UInt64: [UInt64]] = [:]
    for line in outcome.output.split(separator: "\n") where line.hasPrefix("STACK ") {
      let fields = line.split(separator: " ").dropFirst()
      guard let thread = fields.first.flatMap({ UInt64($0) }) else { continue }
      stacks[thread] = fields.dropFirst().compactMap { UInt64($0, radix: 16) }
    }
    return stacks
  }
}

extension CrashReport {
  /// The addresses of a thread's frames, as many as gdb was asked for.
  func addresses(of thread: UInt64, limit: Int = 60) -> [UInt64] {
    let frames = threads.first { $0.id == thread }?.frames ?? []
    return Array(frames.filter { $0.kind != .asynchronous }.map(\.address).prefix(limit))
  }

  var faulting: CrashReport.Thread? { faultingThread.map { threads[$0] } }
}
