import NIOCore

/// Tells whether a client takes what is written to it at a least rate.
///
/// Only the time counts in which bytes wait for the client at every look: what the server itself takes to go on is not
/// the client's to answer for. What was fast at first is no credit for later.
struct AnswerPace {
  private let rate: Int
  /// The time that a look at the rate is about: whoever may read nothing for that long may read in bursts.
  private let window: TimeAmount
  /// Bytes that were written since the connection began.
  private var written: Int64 = 0
  /// Since when bytes have waited at every look, and how many had gone out by then.
  private var since: (time: NIODeadline, out: Int64)?

  /// - Parameters:
  ///   - rate: Bytes a second.
  ///   - patience: How long a client may read nothing.
  init(rate: Int, patience: TimeAmount) {
    self.rate = rate
    window = patience
  }

  mutating func write(_ bytes: Int) { written &+= Int64(bytes) }

  /// Looks at a connection.
  ///
  /// - Parameter waiting: Bytes that have not gone out.
  /// - Returns: Whether its client is too slow.
  mutating func isTooSlow(waiting: Int, at now: NIODeadline) -> Bool {
    let out = written &- Int64(waiting)
    guard waiting > 0 else {
      since = nil
      return false
    }
    guard let begin = since else {
      since = (now, out)
      return false
    }
    let waited = now - begin.time
    guard waited >= window else { return false }
    since = (now, out)
    return Double(out &- begin.out) < Double(waited.nanoseconds) / 1e9 * Double(rate)
  }
}
