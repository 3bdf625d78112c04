#if canImport(Darwin)
  import Darwin
  import os
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A value that many threads read at once, and that one thread changes while no other has it.
///
/// A thread that reads takes one of several locks, which lie in cache lines of their own, so that readers seldom meet; a
/// change takes them all.
///
/// `@unchecked Sendable`: the memory is used under the locks alone.
struct CacheLock<Value>: ~Copyable, @unchecked Sendable {
  #if canImport(Darwin)
    private typealias Handle = os_unfair_lock_s
  #else
    private typealias Handle = pthread_mutex_t
  #endif

  /// Bytes from one lock to the next: two lines, as processors fetch neighbors.
  private static var stride: Int { 128 }
  private let value: UnsafeMutablePointer<Value>
  private let locks: UnsafeMutableRawPointer
  private let count: Int

  /// Creates a lock around `value`, which nothing else may use any more.
  ///
  /// - Parameter readers: The number of locks, a power of 2; with one of them, a thread that reads may change the value.
  init(_ value: consuming sending Value, readers: Int) {
    self.value = .allocate(capacity: 1)
    self.value.initialize(to: value)
    count = readers
    locks = .allocate(byteCount: readers * Self.stride, alignment: Self.stride)
    for index in 0..<readers {
      let handle = (locks + index * Self.stride).initializeMemory(as: Handle.self, to: Handle())
      #if !canImport(Darwin)
        // It fails for want of memory alone, as any allocation would.
        let status = pthread_mutex_init(handle, nil)
        precondition(status == 0, "pthread_mutex_init: \(status)")
      #endif
    }
  }

  deinit {
    #if !canImport(Darwin)
      for index in 0..<count { pthread_mutex_destroy(handle(index)) }
    #endif
    value.deinitialize(count: 1)
    value.deallocate()
    locks.deallocate()
  }

  /// Calls `body` while no thread changes the value.
  @inline(__always)
  func withReading<Result>(_ body: (UnsafeMutablePointer<Value>) -> Result) -> Result {
    let handle = handle(readerIndex)
    lock(handle)
    defer { unlock(handle) }
    return body(value)
  }

  /// Calls `body` while no other thread has the value.
  func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    for index in 0..<count { lock(handle(index)) }
    defer { for index in (0..<count).reversed() { unlock(handle(index)) } }
    return body(&value.pointee)
  }

  /// The number of the lock that this thread reads with.
  @inline(__always)
  private var readerIndex: Int {
    #if canImport(Glibc) && !canImport(Darwin)
      let thread = UInt(pthread_self())
    #else
      let thread = UInt(bitPattern: pthread_self())
    #endif
    // Threads lie as far apart as their stacks, and so differ in the upper bits alone.
    return Int((thread >> 12 &* 0x9e37_79b9) >> 24) & (count &- 1)
  }

  @inline(__always)
  private func handle(_ index: Int) -> UnsafeMutablePointer<Handle> {
    (locks + index &* Self.stride).assumingMemoryBound(to: Handle.self)
  }

  @inline(__always)
  private func lock(_ handle: UnsafeMutablePointer<Handle>) {
    #if canImport(Darwin)
      os_unfair_lock_lock(handle)
    #else
      pthread_mutex_lock(handle)
    #endif
  }

  @inline(__always)
  private func unlock(_ handle: UnsafeMutablePointer<Handle>) {
    #if canImport(Darwin)
      os_unfair_lock_unlock(handle)
    #else
      pthread_mutex_unlock(handle)
    #endif
  }
}
