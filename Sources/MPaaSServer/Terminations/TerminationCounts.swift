import MPaaSDatabase
import MPaaSProtocol

/// The tables of how runs ended.
enum TerminationTables {
  /// Counts are kept while reports come; of a report only its name is kept, so that it counts once.
  static let first = """
    CREATE TABLE termination_days (
      app TEXT NOT NULL, start INTEGER NOT NULL, version TEXT NOT NULL, reason TEXT NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY (app, start, version, reason)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE termination_reports (
      app TEXT NOT NULL, id TEXT NOT NULL, received INTEGER NOT NULL, PRIMARY KEY (app, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX termination_reports_received ON termination_reports (received);
    """
}

/// The numbers of ends of runs by day, version and reason.
enum TerminationCounts {
  /// Seconds for which names of reports are kept: as long as devices send again what was not answered, and more.
  static let reportMemory: Int64 = 31 * 86_400
  /// The most versions of a day; further ones count as `other`.
  static let mostVersions: Int64 = 500
  /// A word in place of a version or a reason that is not told apart.
  static let other = "other"

  /// Counts a report.
  ///
  /// - Returns: False where it was counted before.
  static func add(
    _ report: TerminationReport, app: String, at moment: Double, in database: any SQLDatabase
  ) throws -> Bool {
    try database.run(
      "INSERT INTO termination_reports VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
      [.text(app), .text(report.id), .integer(Int64(moment))])
    guard database.changes > 0 else { return false }
    // No run ended in the future, nor before sessions are counted.
    let oldest = Int64(moment) - SessionReader.lateness
    let time = report.time.magnitude < 1e15 ? min(max(Int64(report.time), oldest), Int64(moment)) : Int64(moment)
    let day = HealthInterval.day.start(of: time)
    let known = try database.row(
      "SELECT count(DISTINCT version) FROM termination_days WHERE app = ? AND start = ? AND version <> ?",
      [.text(app), .integer(day), .text(report.version)]
    ) { $0.integer(0) }
    let version = known ?? 0 < mostVersions ? SessionReader.cut(report.version) : other
    let reason = TerminationReport.reasons.contains(report.reason) ? report.reason : other
    try database.run(
      """
      INSERT INTO termination_days VALUES (?, ?, ?, ?, 1)
      ON CONFLICT (app, start, version, reason) DO UPDATE SET count = termination_days.count + 1
      """, [.text(app), .integer(day), .text(version), .text(reason)])
    return true
  }

  /// The ends of a version's runs for one reason.
  struct Row: Codable, Sendable, Equatable {
    var app: String
    var version: String
    var reason: String
    var count: Int64
  }

  /// The sums of days from the one of `start` on, by app, version and reason; those with most ends first.
  static func rows(app: String?, since start: Int64, in database: any SQLDatabase) throws -> [Row] {
    try database.rows(
      """
      SELECT app, version, reason, sum(count) FROM termination_days
      WHERE start >= ?1 AND (?2 IS NULL OR app = ?2) GROUP BY app, version, reason ORDER BY 4 DESC, 1, 2, 3 LIMIT 5000
      """, [.integer(HealthInterval.day.start(of: start)), .optional(app)]
    ) { Row(app: $0.text(0), version: $0.text(1), reason: $0.text(2), count: $0.integer(3)) }
  }

  /// Frees what is older than it is kept.
  static func free(at now: Double, in database: any SQLDatabase) throws {
    try database.run("DELETE FROM termination_reports WHERE received < ?", [.integer(Int64(now) - reportMemory)])
    try database.run(
      "DELETE FROM termination_days WHERE start < ?", [.integer(Int64(now) - HealthInterval.day.memory)])
  }
}
