#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Threads that share out work which takes seconds, so that no thread waits in a pool meant for short tasks.
enum Workers {
  /// As many as there are processors, at most `limit`.
  static func count(limit: Int) -> Int {
    min(max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1), max(limit, 1))
  }

  /// Calls `body` on `count` threads, this one among them, and returns when all have.
  ///
  /// Fewer threads do the work where the system gives no more.
  static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var threads: [pthread_t] = []
    for _ in 1..<max(count, 1) {
      if let thread = start(body) { threads.append(thread) }
    }
    body()
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
