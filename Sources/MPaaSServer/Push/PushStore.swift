import MPaaSDatabase
import MPaaSProtocol
import MPaaSPush
import MPaaSSupport

/// Installations for notifications in the database.
enum PushStore {
  /// Keeps an installation's token in the place of the one that it had for the topic, and takes it from any other.
  ///
  /// - Returns: The number of entries of other installations that had the token.
  static func take(
    _ report: PushInstallation, app: String, at now: Double, in database: any SQLDatabase
  ) throws -> Int {
    let others = try database.rows(
      "SELECT number FROM push_installations WHERE token = ? AND app = ? AND installation <> ?",
      [.text(report.token), .text(app), .text(report.installation)]
    ) { $0.integer(0) }
    for number in others { try remove(number, in: database) }
    // A device whose clock is ahead must not keep its token for ever.
    let registered = min(report.registered, now)
    try database.run(
      """
      INSERT INTO push_installations
        (number, app, installation, topic, environment, token, user, locale, timezone, version, registered, updated)
      VALUES ((SELECT coalesce(max(number), 0) + 1 FROM push_installations), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (app, installation, topic) DO UPDATE SET
        environment = excluded.environment, token = excluded.token, user = excluded.user, locale = excluded.locale,
        timezone = excluded.timezone, version = excluded.version,
        registered = excluded.registered, updated = excluded.updated
      """,
      [
        .text(app), .text(report.installation), .text(report.topic), .text(report.environment.rawValue),
        .text(report.token), .optional(report.user), .optional(report.locale), .optional(report.timezone),
        .optional(report.version), .real(registered), .real(now),
      ])
    try keepTags(report, app: app, in: database)
    return others.count
  }

  private static func keepTags(_ report: PushInstallation, app: String, in database: any SQLDatabase) throws {
    let number = try database.row(
      "SELECT number FROM push_installations WHERE app = ? AND installation = ? AND topic = ?",
      [.text(app), .text(report.installation), .text(report.topic)]
    ) { $0.integer(0) }
    guard let number else { return }
    try database.run("DELETE FROM push_tags WHERE installation = ?", [.integer(number)])
    for tag in Set(report.tags ?? []) {
      try database.run("INSERT INTO push_tags (installation, tag) VALUES (?, ?)", [.integer(number), .text(tag)])
    }
  }

  /// Removes an installation of an app with all its tokens.
  ///
  /// - Returns: The number of its entries.
  static func remove(_ installation: String, app: String, in database: any SQLDatabase) throws -> Int {
    let numbers = try database.rows(
      "SELECT number FROM push_installations WHERE app = ? AND installation = ?", [.text(app), .text(installation)]
    ) { $0.integer(0) }
    for number in numbers { try remove(number, in: database) }
    return numbers.count
  }

  private static func remove(_ number: Int64, in database: any SQLDatabase) throws {
    try database.run("DELETE FROM push_tags WHERE installation = ?", [.integer(number)])
    try database.run("DELETE FROM push_installations WHERE number = ?", [.integer(number)])
  }

  /// Takes the tokens out that refusals end: at 410 only those that were registered before its timestamp.
  ///
  /// - Parameter app: The app whose tokens may end; nil for those of all.
  /// - Returns: The tokens that have ended.
  static func end(
    _ refusals: PushRefusals, app: String?, in database: any SQLDatabase
  ) throws -> [String] {
    var ended: [String] = []
    for refusal in refusals.outcomes {
      let failure = PushFailure(status: refusal.status, reason: refusal.reason, timestamp: refusal.timestamp)
      let found = try database.rows(
        """
        SELECT number, registered FROM push_installations
        WHERE token = ?1 AND (?2 IS NULL OR app = ?2) AND (?3 IS NULL OR environment = ?3)
        """, [.text(refusal.token), .optional(app), .optional(refusals.environment?.rawValue)]
      ) { (number: $0.integer(0), registered: $0.real(1)) }
      let over = found.filter { failure.endsToken(registeredAt: milliseconds($0.registered)) }
      for entry in over { try remove(entry.number, in: database) }
      if !over.isEmpty { ended.append(refusal.token) }
    }
    return ended
  }

  private static func milliseconds(_ seconds: Double) -> UInt64 {
    UInt64(exactly: (seconds * 1000).rounded(.down)) ?? 0
  }
}
