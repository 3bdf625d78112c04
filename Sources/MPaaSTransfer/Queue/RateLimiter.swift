import MPaaSLock
import MPaaSTime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Lets at most so many bytes a second through, of all transfers of a queue together.
final class RateLimiter: Sendable {
  private let rate: Int64?
  private let now: @Sendable () -> TimeSpan
  /// The time when all that was let through would have gone at the rate.
  private let free = Lock<TimeSpan>(.seconds(-3600))

  init(_ rate: Int64?, now: @escaping @Sendable () -> TimeSpan) {
    self.rate = rate.flatMap { $0 > 0 ? $0 : nil }
    self.now = now
  }

  /// The wait of a caller that wants to move `count` bytes.
  func pause(for count: Int) -> TimeSpan {
    guard let rate else { return .zero }
    let now = now()
    return free.withLock { free in
      // A tenth of a second may go at once, so that pauses are few.
      free = max(free, now - .milliseconds(100))
      defer { free += .microseconds(Int64(count) * 1_000_000 / rate) }
      return max(free - now, .zero)
    }
  }

  /// Waits on the calling thread, which is a transfer's own.
  func wait(for count: Int) {
    let pause = pause(for: count)
    if pause > .zero { usleep(UInt32(clamping: pause.milliseconds * 1000)) }
  }
}
