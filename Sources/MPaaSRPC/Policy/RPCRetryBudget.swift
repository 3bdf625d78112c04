import MPaaSLock

/// The share of calls that may be sent again, so that clients do not bury a server that is down.
///
/// Each call puts a part of a token in, each further attempt takes a whole one: of 100 calls at most so many are repeated
/// as `share` says, besides those that `reserve` allows from the start.
public final class RPCRetryBudget: Sendable {
  /// The part of calls that may be repeated: 0.1 for one in ten.
  public let share: Double
  /// The tokens that are there from the start, and the most that are kept.
  public let reserve: Double
  private let tokens: Lock<Double>

  /// Creates a budget.
  ///
  /// - Parameters:
  ///   - share: The part of calls that may be repeated.
  ///   - reserve: The repetitions that are allowed from the start, and the most that are saved.
  public init(share: Double = 0.1, reserve: Double = 10) {
    self.share = share
    self.reserve = reserve
    tokens = Lock(reserve)
  }

  /// Counts a call.
  func deposit() {
    tokens.withLock { $0 = min($0 + share, reserve) }
  }

  /// Takes a repetition; false where there is none left.
  func withdraw() -> Bool {
    tokens.withLock { tokens in
      // Ten tenths are a little less than one.
      guard tokens >= 1 - 1e-9 else { return false }
      tokens = max(tokens - 1, 0)
      return true
    }
  }
}
