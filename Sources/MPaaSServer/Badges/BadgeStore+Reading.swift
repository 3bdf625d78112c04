import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Badges as apps read and acknowledge them.
extension BadgeStore {
  /// The badges of a reader: those that changed since a version of its own, else all.
  static func update(
    app: String, _ reader: BadgeReader, since word: String?, in database: any SQLDatabase
  ) throws -> BadgeUpdate {
    let state = try database.row("SELECT version, floor FROM badge_versions WHERE app = ?", [.text(app)]) {
      (version: $0.integer(0), floor: $0.integer(1))
    }
    let (now, floor) = state ?? (0, 0)
    let since = word.flatMap(reader.version).flatMap { $0 <= now && $0 >= floor ? $0 : nil }
    let paths = try since.flatMap { try changed(app, reader, since: $0, in: database) }
    let badges = try present(app, reader, paths: paths, in: database)
    // Two paths may look alike, and be equal as texts, and yet be two.
    let present = Set(badges.map { ExactName($0.badgeID) })
    let gone = Set((paths ?? []).map { ExactName($0) }).subtracting(present).sorted().map(\.text)
    return BadgeUpdate(version: reader.word(now), full: paths == nil, badges: badges, removed: gone)
  }

  /// The most changes that are told as such; where there are more, all badges are.
  private static let mostChanges = 2000

  /// Notes that a user has tapped widgets: what the user saw of their badges is cleared, on each device.
  ///
  /// - Returns: The number of badges.
  static func acknowledge(
    app: String, user: String, widgets: [String], seen: Int64?, in database: any SQLDatabase
  ) throws -> Int {
    var version = try self.version(app, in: database)
    // A version that the server never gave, as after a loss of its database, has seen no more than there is.
    let seen = min(seen ?? version, version)
    var count = 0
    for widget in Set(widgets.map { ExactName($0) }).sorted().map(\.text) {
      let paths = try database.rows(
        """
        SELECT DISTINCT path FROM badges WHERE app = ?1 AND widget = ?2 AND gone = 0 AND temporary > 0
        AND version <= ?4 AND (kind <> 'user' OR target = ?3) ORDER BY path
        """, [.text(app), .text(widget), .text(user), .integer(seen)]
      ) { $0.text(0) }
      for path in paths {
        let known = try database.row(
          "SELECT seen FROM badge_taps WHERE app = ? AND user = ? AND path = ?", [.text(app), .text(user), .text(path)]
        ) { $0.integer(0) }
        guard known ?? -1 < seen else { continue }
        version += 1
        count += 1
        try database.run(
          """
          INSERT INTO badge_taps VALUES (?, ?, ?, ?, ?) ON CONFLICT (app, user, path)
          DO UPDATE SET seen = excluded.seen, version = excluded.version
          """, [.text(app), .text(user), .text(path), .integer(seen), .integer(version)])
      }
    }
    if count > 0 { try keep(version, app, in: database) }
    return count
  }

  /// The condition for badges of a reader; the parameters are those of `parameters`.
  private static func condition(_ reader: BadgeReader) -> String {
    let segments = reader.segments.indices.map { "?\($0 + 3)" }.joined(separator: ", ")
    return """
      app = ?1 AND (kind = 'all' OR (kind = 'user' AND target = ?2)
      \(segments.isEmpty ? "" : "OR (kind = 'segment' AND target IN (\(segments)))"))
      """
  }

  private static func parameters(_ app: String, _ reader: BadgeReader) -> [SQLValue] {
    [.text(app), .text(reader.user)] + reader.segments.map { .text($0) }
  }

  /// The paths of badges that changed for a reader, or were tapped, behind a version; nil where they are too many.
  private static func changed(
    _ app: String, _ reader: BadgeReader, since: Int64, in database: any SQLDatabase
  ) throws -> [String]? {
    let values = parameters(app, reader)
    let number = values.count + 1
    let paths = try database.rows(
      """
      SELECT path FROM badges WHERE \(condition(reader)) AND version > ?\(number)
      UNION SELECT path FROM badge_taps WHERE app = ?1 AND user = ?2 AND version > ?\(number)
      LIMIT \(mostChanges + 1)
      """, values + [.integer(since)]
    ) { $0.text(0) }
    return paths.count > mostChanges ? nil : paths
  }

  /// The badges that a reader has now, sorted by their paths.
  ///
  /// - Parameter paths: Only these; nil for all.
  private static func present(
    _ app: String, _ reader: BadgeReader, paths: [String]?, in database: any SQLDatabase
  ) throws -> [BadgeItem] {
    if let paths {
      return try paths.sorted().flatMap { path in try rows(app, reader, path, in: database) }
    }
    return try rows(app, reader, nil, in: database)
  }

  /// The badge of the narrowest target for each path; of several segments the one changed last.
  private static func rows(
    _ app: String, _ reader: BadgeReader, _ path: String?, in database: any SQLDatabase
  ) throws -> [BadgeItem] {
    let values = parameters(app, reader)
    let rows = try database.rows(
      """
      SELECT b.path, b.style, b.temporary, b.persistent, b.business, b.kind, b.version,
        (SELECT seen FROM badge_taps t WHERE t.app = ?1 AND t.user = ?2 AND t.path = b.path)
      FROM badges b WHERE \(condition(reader)) AND gone = 0
      \(path == nil ? "" : "AND path = ?\(values.count + 1)") ORDER BY b.path, b.version
      """, values + (path.map { [.text($0)] } ?? []), Row.init)
    var chosen: [Row] = []
    for row in rows {
      if let last = chosen.last, last.badge.badgeID.utf8.elementsEqual(row.badge.badgeID.utf8) {
        if row.weight >= last.weight { chosen[chosen.count - 1] = row }
      } else {
        chosen.append(row)
      }
    }
    return chosen.map(\.badge).filter { $0.temporary > 0 || $0.persistent > 0 }
  }

  /// A badge as a reader sees it, and how narrow its target is.
  private struct Row {
    var badge: BadgeItem
    let weight: Int

    init(_ row: SQLRow) {
      badge = BadgeItem(
        row.text(0), style: row.text(1), temporary: Int(row.integer(2)), persistent: Int(row.integer(3)),
        business: row.optionalText(4))
      weight = BadgeTarget.Kind(rawValue: row.text(5))?.weight ?? 0
      if let seen = row.optionalInteger(7), seen >= row.integer(6) { badge.temporary = 0 }
    }
  }
}
