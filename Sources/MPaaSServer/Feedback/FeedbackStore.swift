import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Feedback in the database.
enum FeedbackStore {
  /// Days that a device has for the logs that its user gave.
  private static let logDays = 7.0

  /// Keeps feedback, and asks the device for the logs that its user gives; the same feedback a second time changes
  /// nothing.
  ///
  /// - Parameters:
  ///   - owner: The digest of the device's secret.
  ///   - tasks: Tasks that may be open for a device; where there are as many, the logs are not asked for.
  /// - Throws: `feedback-id-taken` where another device has sent the ID.
  static func take(
    _ report: FeedbackReport, app: String, owner: [UInt8], tasks: Int, at now: Double, in database: any SQLDatabase
  ) throws -> Receipt {
    let known = try database.row(
      "SELECT owner FROM feedback WHERE app = ? AND id = ?", [.text(app), .text(report.id)]
    ) { $0.blob(0) }
    if let known {
      guard known == owner else { throw ServerError(.feedbackTaken) }
      return Receipt(id: report.id, duplicate: true)
    }
    let task = try report.logs.flatMap { try Self.task(report, $0, app, tasks, now, in: database) }
    try database.run(
      """
      INSERT INTO feedback (number, app, id, owner, state, category, text, contact, user, mobile, device, version, locale,
        facts, pictures, task, created, received, updated)
      VALUES ((SELECT coalesce(max(number), 0) + 1 FROM feedback), ?1, ?2, ?3, 'open', ?4, ?5, ?6, ?7, ?8, ?9, ?10,
        ?11, ?12, ?13, ?14, ?15, ?16, ?16)
      """,
      [
        .text(app), .text(report.id), .blob(owner), .text(report.category), .text(report.text),
        .optional(report.contact), .optional(report.user), .optional(report.mobile), .text(report.device),
        .text(report.version), .optional(report.locale), .text(json(report.facts)), .text(json(report.pictures)),
        .optional(task), .real(report.created), .real(now),
      ])
    return Receipt(id: report.id)
  }

  /// The collection task for a window of logs; nil where as many are open for the device as may be.
  private static func task(
    _ report: FeedbackReport, _ logs: FeedbackLogs, _ app: String, _ limit: Int, _ now: Double,
    in database: any SQLDatabase
  ) throws -> String? {
    let task = CollectionTask(
      id: FeedbackLogs.task(report.id), app: app, user: report.user ?? "", device: report.device, from: logs.from,
      to: logs.to, created: now, expires: now + logDays * 86_400)
    do {
      return try TaskStore.create(task, limit: limit, in: database).id
    } catch let error as ServerError where error.code == .tasksTooMany {
      return nil
    }
  }

  /// Keeps an answer; one with the same ID a second time changes nothing.
  ///
  /// - Returns: The feedback with it; nil where there is none of the number.
  static func answer(
    _ number: Int64, app: String?, _ answer: FeedbackAnswer, author: String, at now: Double,
    in database: any SQLDatabase
  ) throws -> FeedbackEntry? {
    guard try entry(number, app: app, in: database) != nil else { return nil }
    let state = answer.state ?? .answered
    try database.run(
      """
      INSERT INTO feedback_messages (number, feedback, id, author, text, state, time)
      VALUES ((SELECT coalesce(max(number), 0) + 1 FROM feedback_messages), ?, ?, ?, ?, ?, ?)
      ON CONFLICT (feedback, id) DO NOTHING
      """,
      [
        .integer(number), .text(answer.id ?? Access.randomBytes(8).hexadecimal), .text(author),
        .optional(answer.text), .text(state.rawValue), .real(now),
      ])
    if database.changes > 0 {
      try database.run(
        "UPDATE feedback SET state = ?, updated = ? WHERE number = ?",
        [.text(state.rawValue), .real(now), .integer(number)])
    }
    return try entry(number, app: app, in: database)
  }

  /// The most replies that are told at once.
  private static let mostReplies = 200

  /// The answers to the feedback of a device, those behind a number, the oldest first.
  static func replies(
    app: String, owner: [UInt8], after: Int64, in database: any SQLDatabase
  ) throws -> FeedbackReplies {
    let found = try database.rows(
      """
      SELECT m.number, f.id, m.text, m.state, m.time FROM feedback f JOIN feedback_messages m ON m.feedback = f.number
      WHERE f.app = ?1 AND f.owner = ?2 AND m.number > ?3 ORDER BY m.number LIMIT ?4
      """, [.text(app), .blob(owner), .integer(after), .integer(mostReplies + 1)]
    ) {
      FeedbackMessage(
        number: $0.integer(0), feedback: $0.text(1), text: $0.optionalText(2),
        state: FeedbackState(rawValue: $0.text(3)) ?? .answered, time: $0.real(4))
    }
    let told = Array(found.prefix(mostReplies))
    return FeedbackReplies(messages: told, next: told.last?.number ?? after, more: found.count > told.count)
  }

  static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Values of ours have neither infinities nor cycles, the only things that are no JSON.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
