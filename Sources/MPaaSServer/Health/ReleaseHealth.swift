/// The health of a release in an environment, over a time.
package struct ReleaseHealth: Sendable, Equatable, Encodable {
  /// The counts of a point in time.
  package struct Point: Sendable, Equatable {
    /// Seconds since 1970.
    package var start: Int64
    package var counts: SessionCounts
  }

  /// The key of the app.
  package var app: String
  package var release: String
  package var environment: String
  package var counts = SessionCounts()
  package var users: Int64 = 0
  package var crashedUsers: Int64 = 0
  /// The release's share of all sessions of the last 24 hours; nil where there are none.
  package var adoption: Double?
  /// The points of an interval that have sessions; nil where no interval was asked for.
  package var series: [Point]?

  /// The share of users for whom nothing crashed; nil where no user is known.
  package var crashFreeUsers: Double? { SessionCounts.crashFree(crashedUsers, of: users) }

  enum CodingKeys: String, CodingKey {
    case app, release, environment, sessions, healthy, errored, unhandled, abnormal, crashed, users
    case crashedUsers = "crashed_users"
    case crashFreeSessions = "crash_free_sessions"
    case crashFreeUsers = "crash_free_users"
    case adoption, series
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(app, forKey: .app)
    try container.encode(release, forKey: .release)
    try container.encode(environment, forKey: .environment)
    try counts.encode(into: &container)
    try container.encode(users, forKey: .users)
    try container.encode(crashedUsers, forKey: .crashedUsers)
    try container.encode(crashFreeUsers, forKey: .crashFreeUsers)
    try container.encode(adoption, forKey: .adoption)
    try container.encodeIfPresent(series, forKey: .series)
  }
}

extension ReleaseHealth.Point: Encodable {
  private enum StartKey: String, CodingKey { case start }

  package func encode(to encoder: any Encoder) throws {
    var start = encoder.container(keyedBy: StartKey.self)
    try start.encode(self.start, forKey: .start)
    var container = encoder.container(keyedBy: ReleaseHealth.CodingKeys.self)
    try counts.encode(into: &container)
  }
}

extension SessionCounts {
  fileprivate func encode(into container: inout KeyedEncodingContainer<ReleaseHealth.CodingKeys>) throws {
    try container.encode(sessions, forKey: .sessions)
    try container.encode(healthy, forKey: .healthy)
    try container.encode(errored, forKey: .errored)
    try container.encode(unhandled, forKey: .unhandled)
    try container.encode(abnormal, forKey: .abnormal)
    try container.encode(crashed, forKey: .crashed)
    try container.encode(crashFree, forKey: .crashFreeSessions)
  }
}
