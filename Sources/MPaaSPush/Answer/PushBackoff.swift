/// The waiting before a refused notification is sent again.
package struct PushBackoff: Sendable, Equatable {
  /// Seconds before the second attempt; each further wait is twice as long.
  package var first = 0.5
  /// The longest wait in seconds, unless the provider names a longer one.
  package var longest = 60.0
  /// The number of attempts in all.
  package var attempts = 5

  package init() {}

  /// The seconds to wait after an attempt, counted from 1.
  ///
  /// - Parameter jitter: From 0 to 1: a share of half the wait, so that many senders do not come back at once.
  package func wait(after attempt: Int, retryAfter: Double?, jitter: Double) -> Double {
    let doubled = min(first * Double(1 << min(max(attempt - 1, 0), 30)), longest)
    return max(retryAfter ?? 0, doubled * (0.5 + 0.5 * min(max(jitter, 0), 1)))
  }
}
