package import MPaaSSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A connection that one thread at a time has, as often as it asks.
///
/// `Lock` lets a thread wait for itself, which the work of a batch that uses its database would do.
/// `@unchecked Sendable`: the connection is used under the mutex alone.
package final class OwnedConnection: @unchecked Sendable {
  private let connection: SQLiteDatabase
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init(_ connection: SQLiteDatabase) {
    self.connection = connection
    mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    // It fails for want of memory alone, as any allocation would.
    let status = pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
    precondition(status == 0, "pthread_mutex_init: \(status)")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Hands the connection to `body`, while other threads wait.
  package func use<Value, Failure: Error>(
    _ body: (SQLiteDatabase) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(connection)
  }
}
