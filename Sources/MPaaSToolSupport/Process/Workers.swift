#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Threads that share out work which takes seconds, so that no thread waits in a pool meant for short tasks.
package enum Workers {
  /// As many as there are processors, at most `limit`.
  package static func count(limit: Int) -> Int {
    min(max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), max(limit, 1))
  }

  /// Calls `body` with 0 up to before `count`, each on a thread of its own, and returns when all have returned.
  ///
  /// The first runs on this thread, and so does every one that the system has no thread for.
  package static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    guard count > 0 else { return }
    var threads: [pthread_t] = []
    var own = [0]
    for number in 1..<max(count, 1) {
      if let thread = start({ body(number) }) { threads.append(thread) } else { own.append(number) }
    }
    for number in own { body(number) }
    for thread in threads { pthread_join(thread, nil) }
  }

  private final class Work {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    let work = Unmanaged.passRetained(Work(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = pthread_create(
        &thread, nil,
        { pointer in
          Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body()
          return nil
        }, work.toOpaque())
    #else
      var made = pthread_t()
      let status = pthread_create(
        &made, nil,
        { pointer in
          if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body() }
          return nil
        }, work.toOpaque())
      let thread: pthread_t? = made
    #endif
    guard status == 0 else {
      work.release()
      return nil
    }
    return thread
  }
}
