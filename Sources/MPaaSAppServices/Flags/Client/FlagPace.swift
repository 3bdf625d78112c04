public import MPaaSTime

/// The times of a flags client.
public struct FlagPace: Sendable, Equatable {
  /// From one question for the state to the next.
  public var interval: TimeSpan = .seconds(60)
  /// The part of each pause that is up to chance, so that devices do not ask all at once: 0.1 lengthens it by up to a
  /// tenth.
  public var jitter = 0.1
  /// The first pause after a failure before the server has answered once; each further one is twice as long.
  public var firstRetry: TimeSpan = .seconds(1)
  /// The longest pause after failures, unless the interval is longer.
  public var longestRetry: TimeSpan = .seconds(600)
  /// The longest time for a question and its answer.
  public var timeout: TimeSpan = .seconds(30)
  /// The time for which a stream may be silent.
  public var silence: TimeSpan = .seconds(90)
  /// The number of times that a stream may fail, one time after the other, before the client goes over to asking.
  public var streamAttempts = 3
  /// The time until a stream is tried again.
  public var streamRetry: TimeSpan = .seconds(300)
  /// The time for which a stream must hold to count as none that fails.
  public var steadyStream: TimeSpan = .seconds(60)
  /// From one report of counts to the next; zero sends none.
  public var metrics: TimeSpan = .seconds(60)

  /// Creates the usual times.
  public init() {}

  /// The pause after failures.
  ///
  /// - Parameters:
  ///   - failures: The number of failures one after the other, from 1.
  ///   - hasAnswered: Whether the server has answered in this run of the app.
  ///   - wait: The time that the server asked for.
  func pause(failures: Int, hasAnswered: Bool, wait: TimeSpan?, _ random: Double) -> TimeSpan {
    let first = hasAnswered ? interval : min(firstRetry, interval)
    let longest = max(longestRetry, interval)
    let doubled = first * (1 << min(max(failures - 1, 0), 20))
    return max(spread(min(doubled, longest), random), wait ?? .zero)
  }

  /// A pause with the part that is up to chance.
  func spread(_ pause: TimeSpan, _ random: Double) -> TimeSpan { pause + pause * (max(jitter, 0) * random) }
}
