package import MPaaSSupport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A stretch of work that Ctrl-C does not cut: a signal that comes is remembered, the work looks for it and undoes what
/// it did, and then the signal takes its course.
///
/// One at a time in a process; for work of well under a second.
package struct InterruptionHold: ~Copyable {
  /// The signal that came; written by the handler only.
  private nonisolated(unsafe) static var pending: sig_atomic_t = 0
  /// Tells whether one is there: what is inside it is held by it.
  private nonisolated(unsafe) static var isHeld = false
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  private init() {}

  /// Does the work, then lets a signal that came end the process.
  package static func during<Value, Failure: Error>(
    _ body: (borrowing InterruptionHold) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    if isHeld { return try body(InterruptionHold()) }
    isHeld = true
    var before: [(Int32, sigaction)] = []
    pending = 0
    for number in signals {
      var old = sigaction()
      guard sigaction(number, nil, &old) == 0 else { continue }
      before.append((number, old))
      signal(number) { InterruptionHold.pending = sig_atomic_t($0) }
    }
    defer {
      isHeld = false
      for (number, action) in before {
        var old = action
        sigaction(number, &old, nil)
      }
      if pending != 0 { Self.end(by: Int32(pending)) }
    }
    return try body(InterruptionHold())
  }

  /// Lets the signal take its course in this thread; those that tasks run on hold signals back.
  private static func end(by number: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    raise(number)
  }

  /// - Throws: `FileError` with the code `interrupted` where a signal came.
  package func check() throws(FileError) {
    if Self.pending != 0 { throw FileError(.write, "", .interrupted) }
  }
}
