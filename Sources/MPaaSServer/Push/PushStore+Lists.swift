import MPaaSDatabase
import MPaaSProtocol

extension PushStore {
  /// The conditions that a list is narrowed by.
  struct Filter: Sendable, Equatable {
    var app: String?
    var user: String?
    var tag: String?
    var topic: String?
    var environment: PushEnvironment?
    /// Only installations that come behind this one, the newest being the first.
    var before: Int64?
    var limit = 100
  }

  /// Installations, the newest first, and the word for those behind them.
  static func page(_ filter: Filter, in database: any SQLDatabase) throws -> PushInstallationPage {
    // Only what is asked for stands in the question, so that the index of it is used.
    let asked: [(condition: String, value: SQLValue)] = [
      filter.app.map { ("app = ?", .text($0)) },
      filter.user.map { ("user = ?", .text($0)) },
      filter.tag.map { ("number IN (SELECT installation FROM push_tags WHERE tag = ?)", .text($0)) },
      filter.topic.map { ("topic = ?", .text($0)) },
      filter.environment.map { ("environment = ?", .text($0.rawValue)) },
      filter.before.map { ("number < ?", .integer($0)) },
    ].compactMap { $0 }
    let condition = asked.isEmpty ? "" : "WHERE " + asked.map(\.condition).joined(separator: " AND ")
    let found = try database.rows(
      "\(columns) \(condition) ORDER BY number DESC LIMIT ?", asked.map(\.value) + [.integer(filter.limit + 1)], entry)
    let told = try found.prefix(filter.limit).map { try tagged($0, in: database) }
    return PushInstallationPage(
      installations: told, cursor: found.count > told.count ? told.last.map { String($0.number) } : nil)
  }

  static let columns = """
    SELECT number, app, installation, token, user, topic, environment, locale, registered, updated,
      timezone, version
    FROM push_installations
    """

  static func entry(_ row: SQLRow) -> PushInstallationEntry {
    let installation = PushInstallation(
      installation: row.text(2), token: row.text(3), user: row.optionalText(4), topic: row.text(5),
      environment: PushEnvironment(rawValue: row.text(6)) ?? .production, locale: row.optionalText(7),
      timezone: row.optionalText(10), version: row.optionalText(11), registered: row.real(8))
    return PushInstallationEntry(number: row.integer(0), app: row.text(1), installation, updated: row.real(9))
  }

  static func tagged(
    _ entry: PushInstallationEntry, in database: any SQLDatabase
  ) throws -> PushInstallationEntry {
    var entry = entry
    entry.tags = try database.rows(
      "SELECT tag FROM push_tags WHERE installation = ? ORDER BY tag", [.integer(entry.number)]
    ) { $0.text(0) }
    return entry
  }
}
