import MPaaSTime

/// The course of the fetches for a user.
struct FlagProgress: Sendable {
  /// Failures of questions one after the other.
  var failures = 0
  /// Failures of the stream one after the other.
  var streamFailures = 0
  /// Tells whether the server has answered.
  var hasAnswered = false
  /// The moment before which no stream is tried; nil for none.
  var streamAfter: TimeSpan?
}
