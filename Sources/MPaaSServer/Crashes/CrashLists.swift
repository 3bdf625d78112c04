import MPaaSDatabase
import MPaaSSupport

/// A group of crashes as lists show it.
struct CrashGroupEntry: Sendable, Equatable, Codable {
  var id: Int64
  var app: String
  /// As `crash group` prints it.
  var group: String
  var kind: String
  var exception: String
  var title: String
  var function: String
  var module: String
  var place: String
  var process: String
  var count: Int64
  /// Seconds since 1970.
  var first: Double
  var last: Double
  /// The newest crash.
  var newest: Int64
}

/// A crash as lists show it.
struct CrashEntry: Sendable, Equatable, Codable {
  var id: Int64
  var event: String
  var group: String
  var format: String
  /// Seconds since 1970: when it was stored, and when it happened by the device's clock (0 where that is not known).
  var received: Double
  var captured: Double
  var title: String
  var process: String
  var version: String
  var system: String
  var device: String
  var user: String
  var level: String
  var environment: String
  /// Bytes of the report.
  var size: Int64
  /// Bytes that it takes in the database.
  var stored: Int64
}

extension CrashStore {
  /// The groups whose last crash is the newest.
  ///
  /// - Parameter before: Seconds since 1970; only groups whose last crash came before.
  static func groups(
    app: String? = nil, before: Double? = nil, limit: Int, in database: any SQLDatabase
  ) throws -> [CrashGroupEntry] {
    try database.rows(
      """
      \(groupColumns) WHERE (?1 IS NULL OR app = ?1) AND (?2 IS NULL OR last < ?2) AND merged_into IS NULL
      ORDER BY last DESC, id DESC LIMIT ?3
      """, [.optional(app), before.map { .real($0) } ?? .null, .integer(limit)], groupEntry)
  }

  static func group(_ name: String, app: String? = nil, in database: any SQLDatabase) throws -> CrashGroupEntry? {
    try database.row(
      "\(groupColumns) WHERE name = ?1 AND (?2 IS NULL OR app = ?2)", [.text(name), .optional(app)], groupEntry)
  }

  /// Crashes of a group or of all, the newest first.
  ///
  /// - Parameter before: Only crashes with a smaller id.
  static func crashes(
    group: Int64? = nil, app: String? = nil, before: Int64? = nil, limit: Int, in database: any SQLDatabase
  ) throws -> [CrashEntry] {
    // Only what is asked for: with conditions on nothing, no index serves.
    var conditions = ["1 = 1"]
    var values: [SQLValue] = []
    for (column, value) in [
      ("c.group_id =", group.map { .integer($0) }), ("c.app =", app.map { .text($0) }),
      ("c.id <", before.map { .integer($0) }),
    ] as [(String, SQLValue?)] {
      guard let value else { continue }
      conditions.append("\(column) ?")
      values.append(value)
    }
    return try database.rows(
      "\(columns) WHERE \(conditions.joined(separator: " AND ")) ORDER BY c.id DESC LIMIT ?",
      values + [.integer(limit)], entry)
  }

  static func crash(_ id: Int64, app: String? = nil, in database: any SQLDatabase) throws -> CrashEntry? {
    try database.row(
      "\(columns) WHERE c.id = ?1 AND (?2 IS NULL OR c.app = ?2)", [.integer(id), .optional(app)], entry)
  }

  static func attachments(of id: Int64, in database: any SQLDatabase) throws -> [IncomingCrash.Attachment] {
    try database.rows(
      "SELECT filename, type, blob, size FROM crash_attachments WHERE crash = ? ORDER BY id", [.integer(id)]
    ) { IncomingCrash.Attachment(filename: $0.text(0), type: $0.text(1), blob: $0.text(2), size: $0.integer(3)) }
  }

  private static let groupColumns = """
    SELECT id, app, name, kind, exception, title, function, module, place, process, count, first, last,
    coalesce((SELECT max(c.id) FROM crashes c WHERE c.group_id = crash_groups.id), 0) FROM crash_groups
    """

  private static func groupEntry(_ row: SQLRow) -> CrashGroupEntry {
    CrashGroupEntry(
      id: row.integer(0), app: row.text(1), group: row.text(2), kind: row.text(3), exception: row.text(4),
      title: row.text(5), function: row.text(6), module: row.text(7), place: row.text(8), process: row.text(9),
      count: row.integer(10), first: row.real(11), last: row.real(12), newest: row.integer(13))
  }

  private static let columns = """
    SELECT c.id, c.event, g.name, c.format, c.received, c.captured, c.title, c.process, c.version, c.system, c.device,
    c.user, c.level, c.environment, c.size, length(c.body) FROM crashes c JOIN crash_groups g ON g.id = c.group_id
    """

  private static func entry(_ row: SQLRow) -> CrashEntry {
    CrashEntry(
      id: row.integer(0), event: row.blob(1).hexadecimal, group: row.text(2), format: row.text(3),
      received: row.real(4), captured: row.real(5), title: row.text(6), process: row.text(7), version: row.text(8),
      system: row.text(9), device: row.text(10), user: row.text(11), level: row.text(12), environment: row.text(13),
      size: row.integer(14), stored: row.integer(15))
  }
}
