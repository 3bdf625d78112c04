package import MPaaSTime

/// Time and chance as downloads see them; tests put others in their place.
package struct TransferTimes: Sendable {
  /// Since a moment that stays the same while the program runs.
  package var now: @Sendable () -> TimeSpan
  /// A duration from zero to this one, each as likely.
  package var jitter: @Sendable (TimeSpan) -> TimeSpan
  /// Lets time pass in a test, where nothing else than a pause goes on; nil really waits.
  package var skip: (@Sendable (TimeSpan) -> Void)?

  package init(
    now: @escaping @Sendable () -> TimeSpan, jitter: @escaping @Sendable (TimeSpan) -> TimeSpan,
    skip: (@Sendable (TimeSpan) -> Void)? = nil
  ) {
    self.now = now
    self.jitter = jitter
    self.skip = skip
  }

  package static let live: TransferTimes = {
    let start = MonotonicInstant.now
    return TransferTimes(
      now: { MonotonicInstant.now - start },
      jitter: { limit in .milliseconds(Int.random(in: 0...max(limit.milliseconds, 0))) })
  }()
}
