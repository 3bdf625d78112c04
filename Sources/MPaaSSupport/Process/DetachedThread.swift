#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A thread of its own for what waits, for the network or for work.
///
/// It takes no signals: libraries for TLS write to connections that may be gone, and others end the program properly.
package enum DetachedThread {
  private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Runs `body` on a new thread; on this one where there can be no other.
  package static func run(_ body: @escaping @Sendable () -> Void) {
    if !start(body) { body() }
  }

  /// Runs `body` on a new thread; false, with nothing done, where there can be none.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = pthread_create(
        &thread, nil,
        { pointer in
          DetachedThread.enter(pointer)
          return nil
        }, work.toOpaque())
    #else
      var made = pthread_t()
      let status = pthread_create(
        &made, nil,
        { pointer in
          if let pointer { DetachedThread.enter(pointer) }
          return nil
        }, work.toOpaque())
      let thread: pthread_t? = made
    #endif
    guard status == 0 else {
      work.release()
      return false
    }
    if let thread { pthread_detach(thread) }
    return true
  }

  private static func enter(_ pointer: UnsafeMutableRawPointer) {
    blockSignals()
    Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
  }

  private static func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    // Faults of the thread itself are for the crash handler.
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] { sigdelset(&all, number) }
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }
}
