import MPaaSSupport

/// The ways in which a double makes a sender's life hard; they may change while it runs.
package struct DoubleBehavior: Sendable, Equatable {
  /// Milliseconds before each answer: `latency_ms`.
  package var latency = 0
  /// The streams that a connection may have open at a time: `max_concurrent_streams`.
  package var streams = 1000
  /// The number of requests after which a connection gets GOAWAY; 0 for never: `goaway_after`.
  package var goAwayAfter = 0
  /// True to leave the last requests before GOAWAY unanswered, and to close: `goaway_drops`.
  package var dropsAtGoAway = false
  /// Seconds of `Retry-After` with 429 and 503: `retry_after`.
  package var retryAfter: Int?
  /// The reasons that every so many requests get: `every`, such as `{"ServiceUnavailable": 100}`.
  package var every: [APNsReason: Int] = [:]
  /// The reasons that the next requests to a token get, one after another: `answers`.
  package var answers: [String: [APNsReason]] = [:]
  /// The least number of seconds between new provider tokens, before 429 `TooManyProviderTokenUpdates`; 0 takes all:
  /// `provider_token_interval`.
  package var tokenInterval = 0

  package init() {}

  /// Reads what a configuration says, over what is there.
  package init(_ reader: DoubleMembers, over other: DoubleBehavior = DoubleBehavior()) throws(PushError) {
    self = other
    latency = try reader.number("latency_ms") ?? latency
    streams = try reader.number("max_concurrent_streams") ?? streams
    goAwayAfter = try reader.number("goaway_after") ?? goAwayAfter
    retryAfter = try reader.number("retry_after") ?? retryAfter
    tokenInterval = try reader.number("provider_token_interval") ?? tokenInterval
    if let value = reader.members["goaway_drops"] {
      dropsAtGoAway = try reader.required("goaway_drops", value.bool)
    }
    if let members = try reader.object("every") {
      every = [:]
      for (name, value) in members {
        let count = try reader.required("every", value.integer(UInt32.self))
        every[try Self.reason(name)] = Int(count)
      }
    }
    if let members = try reader.object("answers") {
      answers = [:]
      for (token, value) in members {
        var reasons: [APNsReason] = []
        for element in try reader.required("answers", value.array) {
          reasons.append(try Self.reason(element.string ?? ""))
        }
        answers[token.lowercased()] = reasons
      }
    }
  }

  private static func reason(_ name: String) throws(PushError) -> APNsReason {
    guard let reason = APNsReason(rawValue: name) else { throw DoubleMembers.malformed(name) }
    return reason
  }
}
