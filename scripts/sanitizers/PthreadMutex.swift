#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Takes the place of `Synchronization.Mutex` under the thread sanitizer, which sees the locks of pthreads only.
///
/// The standard library's lock waits in the system by itself and is not instrumented: without this, everything that it
/// guards is reported as a race. A type of the module hides an imported one of the same name.
final class Mutex<Value: ~Copyable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  /// Apart: a property without size has the object's own address, which every call of a method reads.
  private let value: UnsafeMutablePointer<Value>

  init(_ value: consuming sending Value) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
    value.deinitialize(count: 1)
    value.deallocate()
  }

  func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }
}
