import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The words of a user that came in an envelope: an item `feedback`, or one of the older `user_report`.
///
/// - Source: "User Feedback", develop.sentry.dev/sdk/telemetry/feedbacks.
struct SentryFeedback: Sendable, Equatable {
  var app: String
  var report: FeedbackReport
  private static let longestText = 5000
  private static let mostFacts = 100

  /// nil where it is no JSON object, or says nothing.
  init?(_ bytes: UnsafeRawBufferPointer, app: String) {
    guard let value = try? JSONValue(reading: bytes), let object = value.object else { return nil }
    let words = object["contexts"]?.object?["feedback"]?.object ?? object
    let person = object["user"]?.object ?? [:]
    func text(_ value: JSONValue?, _ most: Int) -> String? {
      value?.string.flatMap { $0.isEmpty ? nil : IssueFacts.kept($0, most) }
    }
    guard let message = text(words["message"], Self.longestText) ?? text(words["comments"], Self.longestText) else {
      return nil
    }
    let id = object["event_id"]?.string ?? ""
    let isOlder = words["comments"] != nil
    let named =
      "sentry-" + (isOlder ? "report-" : "") + id.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(64)
    let device = IssueFacts.text(object["contexts"]?.object?["device"]?.object?["model"])
    report = FeedbackReport(
      id: named, secret: "", category: "other", text: message, device: device ?? "",
      version: IssueFacts.text(object["release"]) ?? "", created: object["timestamp"]?.double ?? 0)
    report.contact = text(words["contact_email"], 300) ?? text(words["email"], 300) ?? text(words["name"], 300)
    report.user = IssueFacts.text(person["id"]) ?? IssueFacts.text(person["username"])
    for leaf in EventLeaves.of(value).prefix(Self.mostFacts) where leaf.text != message {
      report.facts[IssueFacts.kept(leaf.path, 100)] = IssueFacts.kept(leaf.text, 500)
    }
    self.app = app
  }

  /// Keeps it once; says whether it was new.
  func insert(at now: Double, in database: any SQLDatabase) throws -> Bool {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let facts = (try? encoder.encode(report.facts)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    try database.run(
      """
      INSERT INTO feedback (number, app, id, owner, state, category, text, contact, user, device, version, facts, pictures,
        created, received, updated)
      VALUES ((SELECT coalesce(max(number), 0) + 1 FROM feedback), ?1, ?2, ?3, 'open', ?4, ?5, ?6, ?7, ?8, ?9, ?10,
        '[]', ?11, ?12, ?12)
      ON CONFLICT (app, id) DO NOTHING
      """,
      [
        // No device asks for replies to it.
        .text(app), .text(report.id), .blob(Access.randomBytes(32)), .text(report.category), .text(report.text),
        .optional(report.contact), .optional(report.user), .text(report.device), .text(report.version), .text(facts),
        .real(report.created), .real(now),
      ])
    return database.changes > 0
  }
}
