import CTrace
package import MPaaSCrashReport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that is run under observation: each of its processes that crashes leaves a report.
package struct TracedRun {
  /// The program, a path or a name on `PATH`, and its arguments.
  package var command: [String]
  /// Tells whether the newest 4 KB that each process writes to its standard error go into its report.
  ///
  /// It takes a seccomp filter, which the program cannot take off; where the machine refuses it the words are missing.
  package var keepsLastWords = true
  /// Tells whether signals that reach this process go on to the program.
  ///
  /// One run at a time can have it.
  package var forwardsSignals = true

  package init(command: [String]) {
    self.command = command
  }

  /// The end of the program.
  package struct Outcome: Sendable, Equatable {
    /// The status that a shell reports: the exit status, or 128 + the signal.
    package let status: Int32
    package let signal: Int32?
    /// The number that the program had.
    package let process: Int32
  }

  /// Runs the program to its end; children that outlive it go on untraced.
  ///
  /// - Parameter onReport: Called for each crash while the crashed process stands still, on a thread of its own.
  /// - Throws: `CaptureError`; the program has not begun then, or could not be found.
  package func run(onReport: @escaping (CrashReport) -> Void) throws(CaptureError) -> Outcome {
    #if os(Linux)
      guard !command.isEmpty else { throw CaptureError(.commandNotFound, command: "") }
      let work = Work(run: self, onReport: onReport)
      let error = mt_on_thread(
        { context in
          guard let context else { return }
          Unmanaged<Work>.fromOpaque(context).takeUnretainedValue().begin()
        }, Unmanaged.passUnretained(work).toOpaque())
      if error != 0 { throw CaptureError(.cannotStart, command: command.first, system: -error) }
      return try work.result.get()
    #else
      throw CaptureError(.unsupportedPlatform)
    #endif
  }

  /// The work of the tracing thread, and its result.
  private final class Work {
    let run: TracedRun
    let onReport: (CrashReport) -> Void
    var result = Result<Outcome, CaptureError>.failure(CaptureError(.cannotStart))

    init(run: TracedRun, onReport: @escaping (CrashReport) -> Void) {
      self.run = run
      self.onReport = onReport
    }

    func begin() {
      result = Result { () throws(CaptureError) in try run.trace(onReport) }
    }
  }

  private func trace(_ onReport: @escaping (CrashReport) -> Void) throws(CaptureError) -> Outcome {
    let words = keepsLastWords ? StandardErrorWords() : nil
    // Swift's own backtracer would stop the dying process for seconds.
    let program = try HeldProgram(command, adding: "SWIFT_BACKTRACE=enable=no", words: words)
    let child = program.process
    let refusal = mt_seize(child, true)
    guard refusal == 0 else {
      let isTraced = ProcessStatus(of: child)?.tracer ?? 0 != 0
      program.abandon()
      throw CaptureError(isTraced ? .alreadyTraced : .refused, process: child, command: command.first, system: -refusal)
    }
    words?.serve()
    if forwardsSignals { mt_forward_start(child) }
    defer { if forwardsSignals { mt_forward_stop() } }
    program.launch()
    var tracer = Tracer(main: child, words: words, onReport: onReport)
    tracer.run()
    if let failure = program.startError(), !tracer.hasExecuted { throw failure }
    return outcome(of: tracer.end, child)
  }

  private func outcome(of end: mt_event?, _ child: Int32) -> Outcome {
    guard let end else { return Outcome(status: 128 + SIGKILL, signal: SIGKILL, process: child) }
    let isKilled = end.kind == mt_event_killed
    return Outcome(
      status: isKilled ? 128 + end.signal : Int32(truncatingIfNeeded: end.message),
      signal: isKilled ? end.signal : nil, process: child)
  }
}
