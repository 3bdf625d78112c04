import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Badges in the database, as operators change them.
enum BadgeStore {
  /// Gives each target its badges, in the place of those with the same path.
  static func push(
    _ push: BadgePush, app: String, at now: Double, in database: any SQLDatabase
  ) throws -> BadgeChange {
    var version = try self.version(app, in: database)
    for target in push.targets {
      for badge in push.badges {
        version += 1
        try database.run(
          """
          INSERT INTO badges (app, kind, target, path, widget, style, temporary, persistent, business, version, gone,
            updated)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?) ON CONFLICT (app, kind, target, path) DO UPDATE SET
            style = excluded.style, temporary = excluded.temporary, persistent = excluded.persistent,
            business = excluded.business, version = excluded.version, gone = 0, updated = excluded.updated
          """,
          [
            .text(app), .text(target.kind.rawValue), .text(target.name), .text(badge.badgeID), .text(badge.widget),
            .text(badge.style), .integer(badge.temporary), .integer(badge.persistent), .optional(badge.business),
            .integer(version), .real(now),
          ])
      }
    }
    try keep(version, app, in: database)
    return BadgeChange(version: version, count: push.targets.count * push.badges.count)
  }

  /// Takes badges away: those of a target, those of a path and all below it, or both; devices are told.
  static func clear(
    app: String, target: BadgeTarget?, path: String?, at now: Double, in database: any SQLDatabase
  ) throws -> BadgeChange {
    var version = try self.version(app, in: database)
    let found = try database.rows(
      """
      SELECT kind, target, path FROM badges WHERE app = ?1 AND gone = 0 AND (?2 IS NULL OR (kind = ?2 AND target = ?3))
      AND (?4 IS NULL OR path = ?4 OR substr(path, 1, length(?4) + 1) = ?4 || ',')
      """, [.text(app), .optional(target?.kind.rawValue), .optional(target?.name), .optional(path)]
    ) { ($0.text(0), $0.text(1), $0.text(2)) }
    for (kind, target, path) in found {
      version += 1
      try database.run(
        """
        UPDATE badges SET gone = 1, version = ?, updated = ? WHERE app = ? AND kind = ? AND target = ? AND path = ?
        """, [.integer(version), .real(now), .text(app), .text(kind), .text(target), .text(path)])
    }
    try keep(version, app, in: database)
    return BadgeChange(version: version, count: found.count)
  }

  /// The conditions that a list is narrowed by.
  struct Filter: Sendable {
    var app: String?
    var target: BadgeTarget?
    /// Only badges that changed before this version.
    var before: Int64?
    var limit = 100
  }

  /// Badges by their targets, those changed last first.
  static func entries(_ filter: Filter, in database: any SQLDatabase) throws -> [BadgeEntry] {
    try database.rows(
      """
      SELECT app, kind, target, path, style, temporary, persistent, business, version, updated FROM badges
      WHERE gone = 0 AND (?1 IS NULL OR app = ?1) AND (?2 IS NULL OR (kind = ?2 AND target = ?3))
      AND (?4 IS NULL OR version < ?4) ORDER BY version DESC LIMIT ?5
      """,
      [
        .optional(filter.app), .optional(filter.target?.kind.rawValue), .optional(filter.target?.name),
        .optional(filter.before), .integer(filter.limit),
      ]
    ) { row in
      BadgeEntry(
        app: row.text(0),
        target: BadgeTarget(BadgeTarget.Kind(rawValue: row.text(1)) ?? .all, row.text(2)),
        badge: BadgeItem(
          row.text(3), style: row.text(4), temporary: Int(row.integer(5)), persistent: Int(row.integer(6)),
          business: row.optionalText(7)),
        version: row.integer(8), updated: row.real(9))
    }
  }

  /// Forgets badges that were taken away before a time, and taps of badges that are no more.
  ///
  /// Devices that have not asked since then get all badges the next time.
  static func forget(before time: Double, in database: any SQLDatabase) throws {
    let old = try database.rows(
      "SELECT app, max(version) FROM badges WHERE gone = 1 AND updated < ? GROUP BY app", [.real(time)]
    ) { ($0.text(0), $0.integer(1)) }
    for (app, version) in old {
      try database.run(
        "UPDATE badge_versions SET floor = ?1 WHERE app = ?2 AND floor < ?1", [.integer(version), .text(app)])
    }
    guard !old.isEmpty else { return }
    try database.run("DELETE FROM badges WHERE gone = 1 AND updated < ?", [.real(time)])
    try database.run(
      """
      DELETE FROM badge_taps WHERE NOT EXISTS
        (SELECT 1 FROM badges b WHERE b.app = badge_taps.app AND b.path = badge_taps.path)
      """)
  }

  /// Forgets the oldest taps of each app that has too many: who made them sees the badges again.
  static func forgetTaps(most: Int, in database: any SQLDatabase) throws {
    let apps = try database.rows("SELECT app FROM badge_versions") { $0.text(0) }
    for app in apps {
      try database.run(
        """
        DELETE FROM badge_taps WHERE app = ?1 AND version <=
          (SELECT version FROM badge_taps WHERE app = ?1 ORDER BY version DESC LIMIT 1 OFFSET ?2)
        """, [.text(app), .integer(most)])
    }
  }

  /// The number of the last change of an app's badges.
  static func version(_ app: String, in database: any SQLDatabase) throws -> Int64 {
    try database.row("SELECT version FROM badge_versions WHERE app = ?", [.text(app)]) { $0.integer(0) } ?? 0
  }

  static func keep(_ version: Int64, _ app: String, in database: any SQLDatabase) throws {
    try database.run(
      """
      INSERT INTO badge_versions VALUES (?, ?, 0) ON CONFLICT (app) DO UPDATE SET version = excluded.version
      """, [.text(app), .integer(version)])
  }
}
