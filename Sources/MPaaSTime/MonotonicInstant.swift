#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A moment on a clock that is never set: it runs on while the machine sleeps, and begins anew with it.
///
/// It stands for `ContinuousClock.Instant`, which iOS has only since 16.
package struct MonotonicInstant: Sendable, Hashable, Comparable {
  private let sinceStart: TimeSpan

  private init(_ sinceStart: TimeSpan) { self.sinceStart = sinceStart }

  /// The moment of the call.
  package static var now: MonotonicInstant {
    #if canImport(Darwin)
      MonotonicInstant(.read(CLOCK_MONOTONIC_RAW))
    #else
      MonotonicInstant(.read(CLOCK_BOOTTIME))
    #endif
  }

  package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.sinceStart < right.sinceStart
  }

  package static func + (instant: MonotonicInstant, span: TimeSpan) -> MonotonicInstant {
    MonotonicInstant(instant.sinceStart + span)
  }

  /// The time from `earlier` to `later`.
  package static func - (later: MonotonicInstant, earlier: MonotonicInstant) -> TimeSpan {
    later.sinceStart - earlier.sinceStart
  }
}

extension TimeSpan {
  /// The time since the machine was started, without that which it slept.
  package static var awake: TimeSpan {
    #if canImport(Darwin)
      .read(CLOCK_UPTIME_RAW)
    #else
      .read(CLOCK_MONOTONIC)
    #endif
  }

  fileprivate static func read(_ clock: clockid_t) -> TimeSpan {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

extension Task where Success == Never, Failure == Never {
  /// Waits for `span`, without blocking a thread.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  package static func sleep(for span: TimeSpan) async throws {
    try await Task.sleep(nanoseconds: UInt64(clamping: span.nanoseconds))
  }
}
