/// An issue as lists show it.
struct IssueEntry: Sendable, Equatable, Codable {
  /// Digits: numbers of 64 bits are not what every reader of JSON keeps.
  var id: String
  var app: String
  var title: String
  var state: IssueState
  var level: String
  /// The function that it is named by, and its file with line; empty where there is none.
  var function: String
  var module: String
  var place: String
  var process: String
  var count: Int64
  /// Users who were affected.
  var users: Int64
  /// Those of all users whose events came, from 0 to 1; nil where none has named a user.
  var usersShare: Double?
  /// Seconds since 1970.
  var firstSeen: Double
  var lastSeen: Double
  var assignee: String?
  /// The newest come first.
  var releases: [String]
  /// The release that it is resolved in.
  var inRelease: String?
  /// The end of being ignored.
  var until: Until?

  struct Until: Sendable, Equatable, Codable {
    /// Seconds since 1970.
    var time: Double?
    /// Events from now on, users from now on, events in an hour of the clock.
    var count: Int64?
    var users: Int64?
    var perHour: Int64?

    enum CodingKeys: String, CodingKey {
      case time, count, users
      case perHour = "per_hour"
    }
  }

  enum CodingKeys: String, CodingKey {
    case id, app, title, state, level, function, module, place, process, count, users, assignee, releases, until
    case usersShare = "users_share"
    case firstSeen = "first_seen"
    case lastSeen = "last_seen"
    case inRelease = "in_release"
  }

  /// The order of lists.
  enum Sort: String, Sendable, CaseIterable {
    case lastSeen = "last_seen"
    case firstSeen = "first_seen"
    case count, users

    /// The column of a group.
    var column: String {
      switch self {
      case .lastSeen: "last"
      case .firstSeen: "first"
      case .count: "count"
      case .users: "users"
      }
    }

    func value(of entry: IssueEntry) -> Double {
      switch self {
      case .lastSeen: entry.lastSeen
      case .firstSeen: entry.firstSeen
      case .count: Double(entry.count)
      case .users: Double(entry.users)
      }
    }
  }
}

extension IssueEntry {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(app, forKey: .app)
    try container.encode(title, forKey: .title)
    try container.encode(state, forKey: .state)
    try container.encode(level, forKey: .level)
    try container.encode(function, forKey: .function)
    try container.encode(module, forKey: .module)
    try container.encode(place, forKey: .place)
    try container.encode(process, forKey: .process)
    try container.encode(count, forKey: .count)
    try container.encode(users, forKey: .users)
    // What is not known is null, and not left out.
    try container.encode(usersShare, forKey: .usersShare)
    try container.encode(firstSeen, forKey: .firstSeen)
    try container.encode(lastSeen, forKey: .lastSeen)
    try container.encode(assignee, forKey: .assignee)
    try container.encode(releases, forKey: .releases)
    try container.encodeIfPresent(inRelease, forKey: .inRelease)
    try container.encodeIfPresent(until, forKey: .until)
  }
}

/// An issue with its history.
struct IssueDetail: Sendable, Encodable {
  var entry: IssueEntry
  var notes: [IssueNote]
  /// The groups that it consists of, its own first.
  var groups: [Group]
  /// Events by hours, the newest first; seconds since 1970.
  var hours: [Hour]
  /// Values by key, the newest first.
  var values: [Values]

  struct Group: Sendable, Equatable, Codable {
    var id: String
    /// As `crash group` prints it.
    var group: String
    var title: String
    var count: Int64
  }

  struct Hour: Sendable, Equatable, Codable {
    var time: Int64
    var count: Int64
  }

  struct Values: Sendable, Equatable, Codable {
    var key: String
    var values: [String]
  }

  enum CodingKeys: String, CodingKey { case comments, groups, hours, values }

  func encode(to encoder: any Encoder) throws {
    try entry.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(notes, forKey: .comments)
    try container.encode(groups, forKey: .groups)
    try container.encode(hours, forKey: .hours)
    try container.encode(values, forKey: .values)
  }
}
