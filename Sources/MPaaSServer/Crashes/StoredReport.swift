import MPaaSDatabase
import MPaaSSupport

/// A crash that is stored, with its report, as it is read once more.
struct StoredReport: Sendable {
  let id: Int64
  let app: String
  let group: Int64
  /// The name of the group.
  let name: String
  let isEvent: Bool
  let event: String
  let received: Double
  /// nil where it is damaged.
  var report: [UInt8]?
  /// The event beside the report.
  var other: [UInt8]?

  /// The crashes that a condition on `c` holds for.
  static func all(
    where condition: String, _ values: [SQLValue], order: String, _ limit: Int, _ blobs: BlobFolder,
    in database: any SQLDatabase
  ) throws -> [StoredReport] {
    let rows = try database.rows(
      """
      SELECT c.id, c.app, c.group_id, g.name, c.format, c.event, c.received FROM crashes c
      JOIN crash_groups g ON g.id = c.group_id WHERE \(condition) ORDER BY \(order) LIMIT ?
      """, values + [.integer(limit)]
    ) {
      StoredReport(
        id: $0.integer(0), app: $0.text(1), group: $0.integer(2), name: $0.text(3), isEvent: $0.text(4) == "sentry",
        event: $0.blob(5).hexadecimal, received: $0.real(6))
    }
    return rows.map { row in
      var row = row
      row.report = try? CrashStore.report(of: row.id, in: database, blobs: blobs)
      if !row.isEvent, let first = try? CrashStore.attachments(of: row.id, in: database).first,
        first.filename == SentryIntake.eventFile
      {
        row.other = try? blobs.bytes(of: first.blob)
      }
      return row
    }
  }

  /// The facts that lists and issues have of it; nil where it is damaged.
  func summary(_ reading: ReportReading) -> CrashSummary? {
    report?.withUnsafeBytes { report -> CrashSummary? in
      if isEvent { return try? reading.event(report, id: event) }
      guard let other else { return try? reading.summary(report) }
      return other.withUnsafeBytes { try? reading.summary(report, beside: $0) }
    } ?? nil
  }
}
