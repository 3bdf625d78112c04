import Foundation

/// The time that a thread has computed: unlike a clock's, it does not grow while the machine does something else.
public struct ProcessorTime: Sendable {
  private let nanoseconds: UInt64

  /// The time of this thread until now.
  public init() {
    nanoseconds = clock_gettime_nsec_np(CLOCK_THREAD_CPUTIME_ID)
  }

  /// The time that this thread has computed since.
  public var elapsed: Duration {
    .nanoseconds(Int64(ProcessorTime().nanoseconds - nanoseconds))
  }
}

#if !canImport(Darwin)
  private func clock_gettime_nsec_np(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
#endif
