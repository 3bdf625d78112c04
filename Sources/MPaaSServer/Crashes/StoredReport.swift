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
  /// nil where it is damaged, or not read yet.
  var report: [UInt8]?
  /// The event beside the report.
  var other: [UInt8]?
  /// The blob that the report is, where it is one.
  private var own: CrashStore.Content?
  /// The blob of the event beside the report.
  private var beside: String?

  private init(_ row: SQLRow) {
    id = row.integer(0)
    app = row.text(1)
    group = row.integer(2)
    name = row.text(3)
    isEvent = row.text(4) == "sentry"
    event = row.blob(5).hexadecimal
    received = row.real(6)
  }

  /// The crashes that a condition on `c` holds for, without what stands in blobs.
  static func all(
    where condition: String, _ values: [SQLValue], order: String, _ limit: Int, in database: any SQLDatabase
  ) throws -> [StoredReport] {
    let rows = try database.rows(
      """
      SELECT c.id, c.app, c.group_id, g.name, c.format, c.event, c.received FROM crashes c
      JOIN crash_groups g ON g.id = c.group_id WHERE \(condition) ORDER BY \(order) LIMIT ?
      """, values + [.integer(limit)]
    ) { StoredReport($0) }
    return rows.map { row in
      var row = row
      row.own = (try? CrashStore.content(of: row.id, in: database)) ?? nil
      if case .bytes(let bytes) = row.own { (row.report, row.own) = (bytes, nil) }
      if !row.isEvent, let first = try? CrashStore.attachments(of: row.id, in: database).first,
        first.filename == SentryIntake.eventFile
      {
        row.beside = first.blob
      }
      return row
    }
  }

  /// The same crashes with what stands in blobs.
  ///
  /// - Throws: `server-blobs-away`.
  static func whole(_ rows: [StoredReport], from blobs: any BlobStore) async throws -> [StoredReport] {
    var rows = rows
    for place in rows.indices {
      if let own = rows[place].own {
        do {
          rows[place].report = try await CrashStore.report(own, of: rows[place].id, from: blobs)
        } catch let error as ServerError where error.code == .reportDamaged {}
      }
      if let beside = rows[place].beside { rows[place].other = try await blobs.bytes(of: beside) }
    }
    return rows
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
