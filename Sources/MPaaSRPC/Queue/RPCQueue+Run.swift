import MPaaSSupport

/// The way on after a call of a queue got no success.
public enum RPCQueueDecision: Sendable, Hashable {
  /// The call stays, and the run ends; the next one begins with it.
  case wait
  /// The call is given up, and the next one is sent.
  case drop
}

/// The outcome of a run of a queue.
public struct RPCQueueSummary: Sendable, Equatable {
  /// The calls that the server carried out.
  public var sent = 0
  /// The calls that were given up.
  public var dropped = 0
  /// True where nothing waits any more.
  public var isEmpty = false
  /// The error that ended the run; nil where all calls were sent.
  public var error: RPCError?
  /// True where another run, of this process or another one, has the queue.
  public var isInHand = false

  init() {}
}

extension RPCQueue {
  /// Sends the calls that wait, one after another in their order, until all are sent or one has to wait.
  ///
  /// Of all runs, in this process and others, one at a time sends.
  ///
  /// - Parameters:
  ///   - answered: Told of each answer before its call leaves the queue; after a kill it may be told again.
  ///   - decide: Says how a failed call goes on. By default errors that may pass wait, and others are given up.
  /// - Throws: `RPCError` `rpc-storage`.
  @discardableResult
  public func run(
    answered: @Sendable (RPCQueuedCall, RPCResponse) async -> Void = { _, _ in },
    decide: @Sendable (RPCQueuedCall, RPCError) async -> RPCQueueDecision = { _, error in RPCQueue.decision(error) }
  ) async throws(RPCError) -> RPCQueueSummary {
    var summary = RPCQueueSummary()
    guard let lock = LockFile.locking(path + ".lock") else {
      summary.isInHand = true
      return summary
    }
    defer { withExtendedLifetime(lock) {} }
    while let waiting = try next() {
      do throws(RPCError) {
        let response = try await client.send(waiting.call)
        await answered(waiting, response)
        summary.sent += 1
      } catch {
        guard await decide(waiting, error) == .drop else {
          try noteFailure(waiting, error)
          summary.error = error
          return summary
        }
        summary.dropped += 1
      }
      try finish(waiting)
    }
    summary.isEmpty = true
    return summary
  }

  /// Waits for what passes or what the user mends, such as a session that is over; gives up what the server will refuse
  /// again.
  public static func decision(_ error: RPCError) -> RPCQueueDecision {
    if error.isPassing || error.isWorthRetrying { return .wait }
    switch error.code {
    case .refused: return [401, 403, 407].contains(error.response?.status) ? .wait : .drop
    case .gateway: return isFinal(error.resultCode) ? .drop : .wait
    case .answerMalformed, .arguments, .headerMalformed: return .drop
    default: return .wait
    }
  }

  private static func isFinal(_ code: RPCResultCode?) -> Bool {
    guard let code else { return false }
    let passing: [RPCResultCode] = [
      .limitReached, .sessionOver, .notAuthorized, .serviceTimedOut, .serviceFailed, .hostUnknown, .unknown,
      .timeOutOfWindow, .noKey,
    ]
    return !passing.contains(code)
  }
}
