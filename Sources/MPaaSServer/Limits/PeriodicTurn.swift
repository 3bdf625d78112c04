import Synchronization

/// The turn of a work that is done once in a while, by whichever round comes first after its time.
final class PeriodicTurn: Sendable {
  private let seconds: Double
  /// Seconds since 1970; 0 where it is due at once.
  private let last = Mutex(0.0)

  init(every seconds: Double) { self.seconds = seconds }

  /// Tells whether the work is due, and takes the turn then; a clock that was set back does not keep it waiting.
  func take(at now: Double) -> Bool {
    last.withLock { last in
      guard (now - last).magnitude >= seconds else { return false }
      last = now
      return true
    }
  }

  /// Has the next round do the work again.
  func giveBack() { last.withLock { $0 = 0 } }
}
