import MPaaSDatabase
import MPaaSProtocol

extension CampaignStore {
  /// The installations of a topic behind one of them, in order, with their tags.
  static func installations(
    app: String, topic: String, _ environment: PushEnvironment, after: Int64, limit: Int, in database: any SQLDatabase
  ) throws -> [PushInstallationEntry] {
    var found = try database.rows(
      """
      \(PushStore.columns) WHERE topic = ? AND number > ? AND app = ? AND environment = ? ORDER BY number LIMIT ?
      """,
      [.text(topic), .integer(after), .text(app), .text(environment.rawValue), .integer(limit)], PushStore.entry)
    guard let first = found.first, let last = found.last else { return [] }
    let places = Dictionary(uniqueKeysWithValues: found.enumerated().map { ($1.number, $0) })
    let tags = try database.rows(
      "SELECT installation, tag FROM push_tags WHERE installation BETWEEN ? AND ?",
      [.integer(first.number), .integer(last.number)]
    ) { (installation: $0.integer(0), tag: $0.text(1)) }
    for (installation, tag) in tags { if let place = places[installation] { found[place].tags.append(tag) } }
    return found
  }

  /// Begins to write down the audience of a campaign whose time has come.
  ///
  /// - Returns: Whether that is to be done.
  static func begin(_ number: Int64, in database: any SQLDatabase) throws -> Bool {
    try database.run(
      "UPDATE push_campaigns SET state = 'preparing' WHERE number = ? AND state IN ('scheduled', 'preparing')",
      [.integer(number)])
    return database.changes > 0
  }

  /// Writes down a part of the audience.
  ///
  /// - Parameters:
  ///   - scanned: The last installation that was looked at before, and that is now.
  ///   - isLast: Whether there are no further ones.
  /// - Returns: Whether it was written: not where the campaign was stopped meanwhile.
  static func enlist(
    _ number: Int64, _ chosen: [PushInstallationEntry], scanned: (before: Int64, now: Int64), isLast: Bool,
    at now: Double, in database: any SQLDatabase
  ) throws -> Bool {
    try database.run(
      """
      UPDATE push_campaigns SET scanned = ?1, audience = audience + ?2, waiting = waiting + ?2, prepared = ?3,
        state = CASE WHEN ?3 = 1 THEN 'running' ELSE state END WHERE number = ?4 AND state = 'preparing' AND scanned = ?5
      """,
      [
        .integer(scanned.now), .integer(chosen.count), .flag(isLast), .integer(number), .integer(scanned.before),
      ])
    guard database.changes == 1 else { return false }
    for entry in chosen {
      try database.run(
        """
        INSERT INTO push_deliveries (campaign, installation, name, state, due, tries, updated)
        VALUES (?, ?, ?, 'waiting', 0, 0, ?)
        """, [.integer(number), .integer(entry.number), .text(entry.installation), .real(now)])
    }
    return true
  }
}
