#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Any clock, read as the time since it was taken, so that its instants need no type of their own.
struct MonotonicClock: Sendable {
  let now: @Sendable () -> Duration
  /// Waits until so much time has passed since the clock was taken.
  let sleep: @Sendable (_ until: Duration) async throws -> Void

  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }
}

/// A number that no two living threads share.
func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #elseif canImport(Glibc)
    UInt(pthread_self())
  #elseif canImport(Musl)
    UInt(bitPattern: pthread_self())
  #else
    0
  #endif
}
