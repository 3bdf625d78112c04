import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FeedbackStore {
  /// The conditions that a list is narrowed by.
  struct Filter: Sendable, Equatable {
    var app: String?
    var state: FeedbackState?
    var category: String?
    var user: String?
    /// A part of the text, whatever the case of its letters is (of ASCII).
    var text: String?
    /// Only feedback that comes behind this one, the newest being the first.
    var before: Int64?
    var limit = 100
  }

  /// Feedback with the answers to it, the newest first.
  static func entries(_ filter: Filter, in database: any SQLDatabase) throws -> [FeedbackEntry] {
    let entries = try database.rows(
      """
      \(columns) WHERE (?1 IS NULL OR app = ?1) AND (?2 IS NULL OR state = ?2) AND (?3 IS NULL OR category = ?3)
      AND (?4 IS NULL OR user = ?4) AND (?5 IS NULL OR lower(text) LIKE ?5 ESCAPE '\\')
      AND (?6 IS NULL OR number < ?6) ORDER BY number DESC LIMIT ?7
      """,
      [
        .optional(filter.app), .optional(filter.state?.rawValue), .optional(filter.category), .optional(filter.user),
        .optional(filter.text.map { LikeText.containing($0) }), .optional(filter.before), .integer(filter.limit),
      ], entry)
    return try entries.map { try completed($0, in: database) }
  }

  /// A piece of feedback by its number; nil where there is none, or it is another app's.
  static func entry(_ number: Int64, app: String?, in database: any SQLDatabase) throws -> FeedbackEntry? {
    let found = try database.row(
      "\(columns) WHERE number = ?1 AND (?2 IS NULL OR app = ?2)", [.integer(number), .optional(app)], entry)
    return try found.map { try completed($0, in: database) }
  }

  /// The categories that have feedback.
  static func categories(app: String?, in database: any SQLDatabase) throws -> [String] {
    try database.rows(
      "SELECT DISTINCT category FROM feedback WHERE (?1 IS NULL OR app = ?1) ORDER BY category LIMIT 100",
      [.optional(app)]
    ) { $0.text(0) }
  }

  private static let columns = """
    SELECT number, app, id, state, category, text, contact, user, mobile, device, version, locale, facts, pictures, task,
    created, received, updated FROM feedback
    """

  private static func entry(_ row: SQLRow) -> FeedbackEntry {
    var report = FeedbackReport(
      id: row.text(2), secret: "", category: row.text(4), text: row.text(5), device: row.text(9),
      version: row.text(10), created: row.real(15))
    (report.contact, report.user, report.mobile) = (row.optionalText(6), row.optionalText(7), row.optionalText(8))
    report.locale = row.optionalText(11)
    let decoder = JSONDecoder()
    report.facts = (try? decoder.decode([String: String].self, from: Data(row.text(12).utf8))) ?? [:]
    report.pictures = (try? decoder.decode([FeedbackPicture].self, from: Data(row.text(13).utf8))) ?? []
    var entry = FeedbackEntry(number: row.integer(0), report, app: row.text(1), received: row.real(16))
    entry.state = FeedbackState(rawValue: row.text(3)) ?? .open
    entry.task = row.optionalText(14)
    entry.updated = row.real(17)
    return entry
  }

  /// The entry with the uploads of its pictures, and with the answers.
  private static func completed(_ entry: FeedbackEntry, in database: any SQLDatabase) throws -> FeedbackEntry {
    var entry = entry
    for index in entry.pictures.indices {
      entry.pictures[index].upload = try database.row(
        // A token for all apps names none with an upload.
        "SELECT id FROM uploads WHERE app IN (?1, '') AND batch = ?2 AND state = 'whole' AND blob = ?3",
        [
          .text(entry.app), .text(FeedbackPicture.batch(entry.id, index)), .text(entry.pictures[index].sha256),
        ]
      ) { $0.text(0) }
    }
    entry.messages = try database.rows(
      "SELECT number, author, text, state, time FROM feedback_messages WHERE feedback = ? ORDER BY number",
      [.integer(entry.number)]
    ) {
      FeedbackMessage(
        number: $0.integer(0), feedback: entry.id, author: $0.text(1), text: $0.optionalText(2),
        state: FeedbackState(rawValue: $0.text(3)) ?? .answered, time: $0.real(4))
    }
    return entry
  }
}
