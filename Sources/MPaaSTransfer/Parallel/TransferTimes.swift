/// Time and chance as downloads see them; tests put others in their place.
package struct TransferTimes: Sendable {
  /// Since a moment that stays the same while the program runs.
  package var now: @Sendable () -> Duration
  /// A duration from zero to this one, each as likely.
  package var jitter: @Sendable (Duration) -> Duration
  /// Lets time pass in a test, where nothing else than a pause goes on; nil really waits.
  package var skip: (@Sendable (Duration) -> Void)?

  package init(
    now: @escaping @Sendable () -> Duration, jitter: @escaping @Sendable (Duration) -> Duration,
    skip: (@Sendable (Duration) -> Void)? = nil
  ) {
    self.now = now
    self.jitter = jitter
    self.skip = skip
  }

  package static let live: TransferTimes = {
    let start = ContinuousClock.now
    return TransferTimes(
      now: { ContinuousClock.now - start },
      jitter: { limit in .milliseconds(Int.random(in: 0...max(limit.milliseconds, 0))) })
  }()
}

extension Duration {
  /// Whole milliseconds, as many as fit.
  var milliseconds: Int {
    let (whole, overflow) = components.seconds.multipliedReportingOverflow(by: 1000)
    guard !overflow else { return components.seconds < 0 ? .min : .max }
    return Int(clamping: whole.addingReportingOverflow(components.attoseconds / 1_000_000_000_000_000).partialValue)
  }
}
