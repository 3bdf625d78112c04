import MPaaSDatabase
import MPaaSSupport

/// The place in a list behind which the next page begins.
struct IssueCursor: Sendable, Equatable {
  var value: Double
  var id: Int64

  init(value: Double, id: Int64) { (self.value, self.id) = (value, id) }

  /// - Parameter text: As `text` writes it.
  init?(_ text: String) {
    let parts = text.split(separator: "_")
    guard parts.count == 2, let bits = UInt64(parts[0], radix: 16), let id = Int64(parts[1], radix: 16) else {
      return nil
    }
    self.init(value: Double(bitPattern: bits), id: id)
    guard value.isFinite else { return nil }
  }

  var text: String { String(value.bitPattern, radix: 16) + "_" + String(id, radix: 16) }
}

extension IssueStore {
  /// The conditions of a list.
  struct Query: Sendable {
    var apps: [String]
    var search = IssueSearch.all([])
    var sort = IssueEntry.Sort.lastSeen
    var limit = 25
    var cursor: IssueCursor?
    /// The caller's name.
    var me = ""
    /// Seconds since 1970.
    var now: Double
  }

  /// Releases that a list names of an issue, and values that its page has of a key.
  private static let mostReleases = 20
  private static let mostShown = 30

  /// The issues of a query, and the cursor of the next page where there is one.
  static func entries(
    _ query: Query, in database: any SQLDatabase
  ) throws -> (entries: [IssueEntry], next: IssueCursor?) {
    // Each app by itself: its index has them in order.
    var found: [(IssueEntry, IssueCursor)] = []
    for app in query.apps { found += try rows(query, app, in: database) }
    if query.apps.count > 1 {
      found.sort { one, other in
        one.1.value != other.1.value ? one.1.value > other.1.value : one.1.id > other.1.id
      }
    }
    let page = found.prefix(query.limit)
    var totals: [String: Int64] = [:]
    let entries = try page.map { entry, cursor in
      if totals[entry.app] == nil { totals[entry.app] = try users(of: entry.app, in: database) }
      return try completed(entry, cursor.id, users: totals[entry.app] ?? 0, in: database)
    }
    return (entries, found.count > query.limit ? page.last?.1 : nil)
  }

  private static func rows(
    _ query: Query, _ app: String, in database: any SQLDatabase
  ) throws -> [(IssueEntry, IssueCursor)] {
    let secrets = UserDigests(app, database)
    let condition = IssueCondition(
      query.search, .init(app: app, me: query.me, now: query.now, user: secrets.digest))
    var values = [SQLValue.text(app)]
    var sql = "\(columns) WHERE g.app = ? AND g.merged_into IS NULL"
    let column = query.sort.column
    if let cursor = query.cursor {
      sql += " AND (g.\(column) < ? OR g.\(column) = ? AND g.id < ?)"
      values += [.real(cursor.value), .real(cursor.value), .integer(cursor.id)]
    }
    sql += " AND \(condition.sql) ORDER BY g.\(column) DESC, g.id DESC LIMIT ?"
    values += condition.values + [.integer(query.limit + 1)]
    return try database.rows(sql, values) { row in
      let entry = entry(row)
      return (entry, IssueCursor(value: query.sort.value(of: entry), id: row.integer(0)))
    }
  }

  /// Digests of users by the secret of an app that is read once.
  private final class UserDigests: @unchecked Sendable {
    private let app: String
    /// Used on the thread of the query only.
    private let database: any SQLDatabase

    init(_ app: String, _ database: any SQLDatabase) { (self.app, self.database) = (app, database) }

    @Sendable func digest(_ user: String) -> Int64? {
      try? IssueMemory.digest(ofUser: user, app: app, reading: database)
    }
  }

  /// An issue by its number; nil where there is none, or it is another app's, or it was merged.
  static func entry(_ id: Int64, app: String?, in database: any SQLDatabase) throws -> IssueEntry? {
    let found = try database.row(
      "\(columns) WHERE g.id = ?1 AND (?2 IS NULL OR g.app = ?2) AND g.merged_into IS NULL",
      [.integer(id), .optional(app)], entry)
    guard let found else { return nil }
    return try completed(found, id, users: users(of: found.app, in: database), in: database)
  }

  /// The issue that a group was merged into; nil where it was not.
  static func target(of id: Int64, app: String?, in database: any SQLDatabase) throws -> Int64? {
    try database.row(
      "SELECT merged_into FROM crash_groups WHERE id = ?1 AND (?2 IS NULL OR app = ?2)",
      [.integer(id), .optional(app)]
    ) { $0.optionalInteger(0) } ?? nil
  }

  /// An issue with its history and figures.
  static func detail(_ id: Int64, app: String?, in database: any SQLDatabase) throws -> IssueDetail? {
    guard let entry = try entry(id, app: app, in: database) else { return nil }
    let owner = SQLValue.text(entry.app)
    let groups = try database.rows(
      """
      SELECT id, name, title, count FROM crash_groups WHERE app = ?1 AND id IN
      (SELECT id FROM crash_groups WHERE app = ?1 AND merged_into = ?2 UNION ALL SELECT ?2)
      ORDER BY id <> ?2, count DESC, id LIMIT 100
      """, [owner, .integer(id)]
    ) {
      IssueDetail.Group(
        id: String($0.integer(0)), group: $0.text(1), title: $0.text(2), count: $0.integer(3))
    }
    let hours = try database.rows(
      """
      SELECT hour, sum(count) FROM issue_hours WHERE app = ?1 AND issue IN
      (SELECT id FROM crash_groups WHERE app = ?1 AND merged_into = ?2 UNION ALL SELECT ?2) GROUP BY hour ORDER BY hour DESC LIMIT 720
      """, [owner, .integer(id)]
    ) { IssueDetail.Hour(time: $0.integer(0) * 3600, count: $0.integer(1)) }
    return IssueDetail(
      entry: entry, notes: try IssueNotes.of(id, app: entry.app, in: database),
      groups: own(groups, id: id), hours: hours, values: try values(of: id, app: entry.app, in: database))
  }

  /// The groups, the own one without the counts of those that were merged into it.
  private static func own(_ groups: [IssueDetail.Group], id: Int64) -> [IssueDetail.Group] {
    guard var first = groups.first else { return groups }
    first.count -= groups.dropFirst().reduce(0) { $0 + $1.count }
    return [first] + groups.dropFirst()
  }

  private static func values(of id: Int64, app: String, in database: any SQLDatabase) throws -> [IssueDetail.Values] {
    let rows = try database.rows(
      """
      SELECT key, value FROM issue_values WHERE app = ?1 AND issue IN
      (SELECT id FROM crash_groups WHERE app = ?1 AND merged_into = ?2 UNION ALL SELECT ?2)
      AND key NOT IN ('release.version', 'stack.function', 'stack.module') ORDER BY key, first DESC, value LIMIT 3000
      """, [.text(app), .integer(id)]
    ) { ($0.text(0), $0.text(1)) }
    var found: [IssueDetail.Values] = []
    for (key, value) in rows {
      if found.last?.key != key { found.append(.init(key: key, values: [])) }
      let last = found.count - 1
      guard found[last].values.count < mostShown, !found[last].values.contains(value) else { continue }
      found[last].values.append(value)
    }
    return found
  }

  /// The users of an app whose events came.
  static func users(of app: String, in database: any SQLDatabase) throws -> Int64 {
    try database.row("SELECT users FROM issue_apps WHERE app = ?", [.text(app)]) { $0.integer(0) } ?? 0
  }

  private static let columns = """
    SELECT g.id, g.app, g.title, g.state, g.level, g.function, g.module, g.place, g.process, g.count, g.users, g.first,
    g.last, g.assignee, g.rule FROM crash_groups g
    """

  private static func entry(_ row: SQLRow) -> IssueEntry {
    var entry = IssueEntry(
      id: String(row.integer(0)), app: row.text(1), title: row.text(2),
      state: IssueState(rawValue: row.text(3)) ?? .unresolved, level: row.text(4), function: row.text(5),
      module: row.text(6), place: row.text(7), process: row.text(8), count: row.integer(9), users: row.integer(10),
      firstSeen: row.real(11), lastSeen: row.real(12), assignee: row.optionalText(13), releases: [])
    guard let rule = row.optionalText(14).map(IssueRule.init(json:)) else { return entry }
    if entry.state == .resolved { entry.inRelease = rule.release }
    if entry.state == .ignored, rule != IssueRule() {
      entry.until = .init(
        time: rule.time, count: rule.count.map { max($0 - entry.count, 0) },
        users: rule.users.map { max($0 - entry.users, 0) }, perHour: rule.perHour)
    }
    return entry
  }

  private static func completed(
    _ entry: IssueEntry, _ id: Int64, users: Int64, in database: any SQLDatabase
  ) throws -> IssueEntry {
    var entry = entry
    entry.releases = try releases(of: id, app: entry.app, in: database)
    if users > 0 { entry.usersShare = min(Double(entry.users) / Double(users), 1) }
    return entry
  }

  private static func releases(of id: Int64, app: String, in database: any SQLDatabase) throws -> [String] {
    try database.rows(
      """
      SELECT value, max(first) FROM issue_values WHERE app = ?1 AND coalesce(key, '') = 'release' AND issue IN
      (SELECT id FROM crash_groups WHERE app = ?1 AND merged_into = ?2 UNION ALL SELECT ?2)
      GROUP BY value ORDER BY max(first) DESC, value DESC LIMIT ?3
      """, [.text(app), .integer(id), .integer(mostReleases)]
    ) { $0.text(0) }
  }
}
