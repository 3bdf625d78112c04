import MPaaSDatabase

/// Devices and users of each day by version and by system, as alive reports name them.
enum DeviceDays {
  /// A device and its user on a day.
  struct Visit: Sendable {
    var app: String
    var device: String
    var user: String?
    var version: String
    var system: String?
    /// Seconds since 1970.
    var time: Int64
  }

  /// The words by which a day's sets are told apart.
  enum Kind: String, Sendable, CaseIterable {
    case devices
    case users
    case devicesByVersion = "devices-version"
    case usersByVersion = "users-version"
    case devicesBySystem = "devices-system"
    case usersBySystem = "users-system"
  }

  /// The most versions and systems of a day.
  static let mostNames = 500

  static func add(_ visit: Visit, in database: any SQLDatabase) throws {
    var secrets = HealthSecrets()
    let places: [(kinds: [Kind], name: String?)] = [
      ([.devices, .devicesByVersion, .devicesBySystem], visit.device.isEmpty ? nil : visit.device),
      ([.users, .usersByVersion, .usersBySystem], visit.user.flatMap { $0.isEmpty ? nil : $0 }),
    ]
    let day = HealthInterval.day.start(of: visit.time)
    for (kinds, name) in places {
      guard let name else { continue }
      let member = try secrets.member(name, app: visit.app, in: database)
      for (kind, word) in zip(kinds, ["", visit.version, visit.system]) {
        guard let word else { continue }
        let key: [SQLValue] = [.text(visit.app), .integer(day), .text(kind.rawValue)]
        let count = try database.row(
          "SELECT count(*) FROM device_days WHERE app = ? AND start = ? AND kind = ? AND name <> ?",
          key + [.text(word)]
        ) { $0.integer(0) }
        guard count ?? 0 < mostNames else { continue }
        try MemberRows.add(
          [(key + [.text(word)], [member])], to: "device_days", key: ["app", "start", "kind", "name"], in: database)
      }
    }
  }

  /// A number of devices or users.
  struct Count: Sendable, Equatable {
    var start: Int64
    var kind: Kind
    /// The version or system; empty for all.
    var name: String
    var count: Int64
  }

  /// The numbers of each day from `start` on, before `end`, the newest day first.
  static func counts(app: String, from start: Int64, to end: Int64, in database: any SQLDatabase) throws -> [Count] {
    try database.rows(
      """
      SELECT start, kind, name, members FROM device_days WHERE app = ? AND start >= ? AND start < ?
      ORDER BY start DESC, kind, name
      """, [.text(app), .integer(HealthInterval.day.start(of: start)), .integer(end)]
    ) { row in
      Kind(rawValue: row.text(1)).map {
        Count(start: row.integer(0), kind: $0, name: row.text(2), count: MemberSet(row.blob(3)).count)
      }
    }.compactMap { $0 }
  }
}
