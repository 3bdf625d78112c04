import MPaaSSupport

extension CodedError<ServerDomain>.Code {
  /// A session whose release is not told.
  static var sessionNoRelease: Self { .refused("session-no-release") }
  /// An item about sessions that is no such JSON.
  static var sessionMalformed: Self { .malformed("session-malformed") }
  /// A session that began more than 30 days ago.
  static var sessionLate: Self { .refused("session-late") }
  /// More releases than an app may have.
  static var releasesTooMany: Self { .refused("session-releases-too-many") }
  /// The error where a time of a question cannot be read.
  static var healthTime: Self { .malformed("health-time") }
  /// A question about no time, or about more points than are answered.
  static var healthRange: Self { .malformed("health-range") }
  /// The error where an interval is none of minute, hour and day.
  static var healthInterval: Self { .malformed("health-interval") }
}
