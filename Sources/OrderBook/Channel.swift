#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A queue between threads that makes its reader wait.
///
/// `@unchecked Sendable`: `items` and `isClosed` are touched only with `lock` held.
final class Channel<Element: Sendable>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var items: [Element] = []
  private var isClosed = false

  init() {
    pthread_mutex_init(lock, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(lock)
    changed.deallocate()
    lock.deallocate()
  }

  func send(_ element: Element) {
    pthread_mutex_lock(lock)
    items.append(element)
    pthread_cond_signal(changed)
    pthread_mutex_unlock(lock)
  }

  /// Lets readers end once they have read all.
  func close() {
    pthread_mutex_lock(lock)
    isClosed = true
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(lock)
  }

  /// All that was sent since the last call; waits for something, gives nil at the end.
  func receive() -> [Element]? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    while items.isEmpty, !isClosed { pthread_cond_wait(changed, lock) }
    guard !items.isEmpty else { return nil }
    defer { items.removeAll() }
    return items
  }
}
