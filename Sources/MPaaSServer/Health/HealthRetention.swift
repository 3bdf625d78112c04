import MPaaSDatabase

/// Frees what is older than it is kept, in small steps: sessions that can get no update any more, counts, releases.
enum HealthRetention {
  /// The most sessions of one step.
  static let step = 5_000
  /// The most releases of one step.
  static let releases = 200
  /// Seconds that a session is kept: as long as updates of it are taken, and a day.
  static let memory = SessionReader.lateness + 86_400

  /// Removes sessions of the app that are too old; says whether there may be more.
  static func freeSessions(app: String, at now: Double, in database: any SQLDatabase) throws -> Bool {
    try database.run(
      """
      DELETE FROM sessions WHERE app = ?1 AND sid IN
      (SELECT sid FROM sessions WHERE app = ?1 AND started < ?2 ORDER BY started LIMIT ?3)
      """, [.text(app), .integer(Int64(now) - memory), .integer(step)])
    return database.changes >= step
  }

  /// Removes counts of the app's next releases that are too old, and releases that have none.
  ///
  /// - Parameter last: The number of the release before; nil to begin.
  /// - Returns: The number of the last release; nil where there are no more.
  static func freeCounts(
    app: String, after last: Int64?, at now: Double, in database: any SQLDatabase
  ) throws -> Int64? {
    let now = Int64(now)
    let next = try database.rows(
      "SELECT release, last FROM releases WHERE app = ? AND release > ? ORDER BY release LIMIT ?",
      [.text(app), .integer(last ?? -1), .integer(releases)]
    ) { (release: $0.integer(0), seen: $0.integer(1)) }
    let tables: [(String, HealthInterval)] =
      HealthInterval.allCases.map { ($0.table, $0) } + [("release_members", .day), ("crashed_members", .day)]
    for (release, seen) in next {
      for (table, interval) in tables {
        try database.run(
          "DELETE FROM \(table) WHERE app = ? AND release = ? AND start < ?",
          [.text(app), .integer(release), .integer(now - interval.memory)])
      }
      if seen < now - HealthInterval.day.memory {
        try database.run("DELETE FROM releases WHERE app = ? AND release = ?", [.text(app), .integer(release)])
      }
    }
    return next.count < releases ? nil : next.last?.release
  }

  /// Removes the days of devices of an app that are too old, and versions of patches that have none.
  static func freeDevices(app: String, at now: Double, in database: any SQLDatabase) throws {
    let key: [SQLValue] = [.text(app), .integer(Int64(now) - HealthInterval.day.memory)]
    for table in ["device_days", "patch_members", "patch_crashes"] {
      try database.run("DELETE FROM \(table) WHERE app = ? AND start < ?", key)
    }
    try database.run("DELETE FROM patch_versions WHERE app = ? AND last < ?", key)
  }

  static func apps(in database: any SQLDatabase) throws -> [String] {
    try database.rows("SELECT DISTINCT app FROM releases ORDER BY app") { $0.text(0) }
  }
}
