import MPaaSTime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A clock, read as the time since it was taken, so that its instants need no type of their own.
struct MonotonicClock: Sendable {
  let now: @Sendable () -> TimeSpan
  /// Waits until so much time has passed since the clock was taken.
  let sleep: @Sendable (_ until: TimeSpan) async throws -> Void

  /// Takes the system's clock, which rests while the machine sleeps.
  init() {
    let start = TimeSpan.awake
    now = { .awake - start }
    sleep = { try await Task.sleep(for: $0 - (.awake - start)) }
  }

  /// Takes any clock of the standard library.
  @available(macOS 13, iOS 16, tvOS 16, watchOS 9, *)
  init(_ clock: some Clock<Duration>) {
    let start = clock.now
    now = { TimeSpan(start.duration(to: clock.now)) }
    sleep = { try await clock.sleep(until: start.advanced(by: Duration($0)), tolerance: nil) }
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
