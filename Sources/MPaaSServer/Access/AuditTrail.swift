import MPaaSDatabase
import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport

/// The audit log in the database; entries are added behind the last one, and never changed.
enum AuditTrail {
  /// Characters of a field.
  private static let longest = 500

  /// A deed, before it has its place in the log.
  struct Deed: Sendable {
    var actor: String
    var action: String
    var object: String
    var detail = ""
    var app: String?
  }

  /// Adds an entry within the transaction of what was done.
  static func add(_ deed: Deed, at time: Double, in database: any SQLDatabase) throws {
    let last = try database.row("SELECT number, digest FROM audit ORDER BY number DESC LIMIT 1") {
      (number: $0.integer(0), digest: $0.text(1))
    }
    func kept(_ text: String) -> String { String(text.replacing(each: "\0", with: "\u{2400}").prefix(longest)) }
    var entry = AuditEntry(
      number: (last?.number ?? 0) + 1, time: Int64(clamping: Int((time * 1000).rounded())), actor: kept(deed.actor),
      action: kept(deed.action), object: kept(deed.object), detail: kept(deed.detail), app: deed.app)
    entry.digest = entry.text(after: last?.digest ?? AuditEntry.beginning).utf8.sha256.hexadecimal
    try database.run(
      """
      INSERT INTO audit (number, time, actor, action, object, detail, app, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(entry.number), .integer(entry.time), .text(entry.actor), .text(entry.action), .text(entry.object),
        .text(entry.detail), .optional(entry.app), .text(entry.digest),
      ])
  }

  private static let columns = "SELECT number, time, actor, action, object, detail, app, digest FROM audit"

  /// Entries behind a number, the oldest first.
  static func entries(after number: Int64, limit: Int, in database: any SQLDatabase) throws -> [AuditEntry] {
    try database.rows(
      "\(columns) WHERE number > ? ORDER BY number LIMIT ?", [.integer(number), .integer(limit)], entry)
  }

  /// Entries before a number, the newest first.
  static func newest(before number: Int64?, limit: Int, in database: any SQLDatabase) throws -> [AuditEntry] {
    try database.rows(
      "\(columns) WHERE number < ? ORDER BY number DESC LIMIT ?", [.integer(number ?? .max), .integer(limit)], entry)
  }

  private static func entry(_ row: SQLRow) -> AuditEntry {
    AuditEntry(
      number: row.integer(0), time: row.integer(1), actor: row.text(2), action: row.text(3), object: row.text(4),
      detail: row.text(5), app: row.optionalText(6), digest: row.text(7))
  }
}
