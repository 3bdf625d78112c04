/// The end of a session, as its sender tells it; the worse one counts, in whatever order they come.
///
/// - Source: "Sessions", develop.sentry.dev/sdk/telemetry/sessions.
package enum SessionState: Int, Sendable, Comparable {
  case ok
  case exited
  case unhandled
  case abnormal
  case crashed

  /// The state of a status' word; an unknown word is a session that goes on.
  package init(status: String?) {
    self =
      switch status {
      case "exited": .exited
      case "unhandled": .unhandled
      case "abnormal": .abnormal
      case "crashed": .crashed
      default: .ok
      }
  }

  /// Tells whether the state alone is an error.
  var isError: Bool { self >= .unhandled }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
