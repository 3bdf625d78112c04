/// The attempts that a call gets where it may be repeated.
///
/// Only calls that read, are idempotent or have a key are sent again, and only after failures that may pass: no
/// connection, 408, 429, 500, 502, 503, 504, and the gateway's codes for a service that is not there.
public struct RPCRetryPolicy: Sendable, Hashable {
  /// The most times that a call is sent.
  public var attempts: Int
  /// The longest pause before the second attempt; it doubles with each further one.
  public var firstPause: TimeSpan
  /// The longest pause at all.
  public var longestPause: TimeSpan

  /// Creates a policy.
  public init(
    attempts: Int = 3, firstPause: TimeSpan = .milliseconds(100), longestPause: TimeSpan = .seconds(10)
  ) {
    self.attempts = attempts
    self.firstPause = firstPause
    self.longestPause = longestPause
  }

  /// One attempt, whatever happens.
  public static let none = RPCRetryPolicy(attempts: 1)

  /// The pause before the next attempt: any length up to a bound that doubles, so that clients do not come back together.
  ///
  /// A server that says when to come back is not asked earlier.
  ///
  /// - Parameters:
  ///   - attempt: The number of attempts so far.
  ///   - wish: The time that the server wants to be left alone.
  ///   - chance: A number from 0 up to 1.
  func pause(after attempt: Int, wish: TimeSpan?, chance: Double) -> TimeSpan {
    let bound = min(longestPause, firstPause * (1 << min(max(attempt - 1, 0), 20)))
    let drawn = bound * chance
    return wish.map { $0 + drawn } ?? drawn
  }
}

extension RPCError {
  /// True where sending the same call again makes sense.
  var isWorthRetrying: Bool {
    switch code {
    case .unreachable: true
    case .refused, .failed: response.map { [408, 429, 500, 502, 503, 504].contains($0.status) } ?? false
    case .gateway: resultCode?.isPassing ?? false
    default: false
    }
  }
}
