#if canImport(Darwin)
  public import os
#elseif canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#endif

/// A value behind a lock, which one thread at a time reads and changes.
///
/// It stands for `Mutex` of Synchronization, which iOS has only since 18 while apps run on iOS 15, and is used in the
/// same way. The value lies in memory of its own, which is allocated once with the lock. The lock is not recursive:
/// a thread that takes it twice waits for itself, or is stopped by the system.
@usableFromInline
package struct Lock<Value>: ~Copyable {
  #if canImport(Darwin)
    @usableFromInline typealias Handle = os_unfair_lock_s
  #else
    @usableFromInline typealias Handle = pthread_mutex_t
  #endif

  /// The value, and behind it the handle: neither may move while a thread holds the lock.
  @usableFromInline let memory: UnsafeMutableRawPointer

  /// The place of the handle in the memory.
  @inlinable static var handleOffset: Int {
    let alignment = MemoryLayout<Handle>.alignment
    return (MemoryLayout<Value>.size + alignment - 1) & ~(alignment - 1)
  }

  @inlinable var value: UnsafeMutablePointer<Value> { memory.assumingMemoryBound(to: Value.self) }

  @inlinable var handle: UnsafeMutablePointer<Handle> {
    (memory + Self.handleOffset).assumingMemoryBound(to: Handle.self)
  }

  /// Creates a lock around `value`, which nothing else may use any more.
  @inlinable
  package init(_ value: consuming sending Value) {
    memory = .allocate(
      byteCount: Self.handleOffset + MemoryLayout<Handle>.size,
      alignment: max(MemoryLayout<Value>.alignment, MemoryLayout<Handle>.alignment))
    memory.initializeMemory(as: Value.self, to: value)
    (memory + Self.handleOffset).initializeMemory(as: Handle.self, to: Handle())
    #if !canImport(Darwin)
      let status = pthread_mutex_init(handle, nil)
      precondition(status == 0, "pthread_mutex_init: \(status)")
    #endif
  }

  @inlinable
  deinit {
    #if !canImport(Darwin)
      pthread_mutex_destroy(handle)
    #endif
    value.deinitialize(count: 1)
    memory.deallocate()
  }

  /// Calls `body` with the value while no other thread has it.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; the lock is free then.
  @inlinable
  package borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    #if canImport(Darwin)
      os_unfair_lock_lock(handle)
      defer { os_unfair_lock_unlock(handle) }
    #else
      pthread_mutex_lock(handle)
      defer { pthread_mutex_unlock(handle) }
    #endif
    return try body(&value.pointee)
  }
}

// The memory is used under the lock alone.
extension Lock: @unchecked Sendable {}
