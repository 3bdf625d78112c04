#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A lock with a condition to wait for.
///
/// `@unchecked Sendable`: both are made to be used by several threads, and stand in memory that does not move.
final class LogLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  @inline(__always)
  func lock() { pthread_mutex_lock(mutex) }

  @inline(__always)
  func unlock() { pthread_mutex_unlock(mutex) }

  func withLock<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    lock()
    defer { unlock() }
    return try body()
  }

  /// Wakes who waits.
  func signal() { pthread_cond_signal(condition) }

  /// Waits for a signal, at most so many seconds where there is a number; the lock is held.
  func wait(seconds: Int? = nil) {
    guard let seconds else {
      pthread_cond_wait(condition, mutex)
      return
    }
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_sec += seconds
    pthread_cond_timedwait(condition, mutex, &end)
  }
}
