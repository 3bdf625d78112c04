import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Sessions of people in the database: their SHA-256, never themselves.
enum Sessions {
  static let prefix = "mps_"
  /// Seconds after which one ends that is not used, and in any case.
  static let idle = 12.0 * 3600
  static let longest = 7.0 * 86_400
  /// Seconds after which its use is noted again.
  private static let step = 300.0
  private static let longestAgent = 200

  /// The secret of a new one, of 256 random bits.
  static func fresh() -> String { prefix + Access.randomBytes(32).hexadecimal }

  static func insert(_ token: String, _ person: String, agent: String, at moment: Double, in database: any SQLDatabase)
    throws
  {
    try database.run(
      "INSERT INTO person_sessions (digest, id, person, agent, created, seen) VALUES (?, ?, ?, ?, ?, ?)",
      [
        .blob(TokenRow.hash(token)), .text(Access.randomBytes(6).hexadecimal), .text(person),
        .text(String(agent.prefix(longestAgent))), .real(moment), .real(moment),
      ])
    try database.run("UPDATE people SET seen = ? WHERE id = ?", [.real(moment), .text(person)])
  }

  static func expiry(created: Double, seen: Double) -> Double { min(created + longest, seen + idle) }

  /// The permissions of a session: those of the account's role, and those of its teams for their apps.
  static func grant(_ hash: [UInt8], at moment: Double, in database: any SQLDatabase) throws -> Grant? {
    let found = try database.row(
      """
      SELECT s.id, s.person, p.name, p.role, s.created, s.seen FROM person_sessions s JOIN people p ON p.id = s.person
      WHERE s.digest = ? AND p.disabled = 0
      """, [.blob(hash)]
    ) { row in
      (
        id: row.text(0), person: row.text(1), name: row.text(2), role: row.optionalText(3), created: row.real(4),
        seen: row.real(5)
      )
    }
    guard let found else { return nil }
    var rights: [Grant.Right] = []
    if let role = found.role.flatMap(Role.init(rawValue:)) {
      rights.append(Grant.Right(apps: nil, scopes: role.scopes))
    }
    let ofTeams = try database.rows(
      "SELECT m.role, a.app FROM team_members m JOIN team_apps a ON a.team = m.team WHERE m.person = ?",
      [.text(found.person)]
    ) { (role: Role(rawValue: $0.text(0)), app: $0.text(1)) }
    rights += ofTeams.compactMap { pair in pair.role.map { Grant.Right(apps: [pair.app], scopes: $0.scopes) } }
    guard !rights.isEmpty else { return nil }
    var grant = Grant(
      id: "session-" + found.id, name: found.name, scopes: [], app: nil, created: found.created,
      expires: expiry(created: found.created, seen: found.seen))
    (grant.rights, grant.person) = (rights, found.person)
    return grant
  }

  static func isToTouch(_ hash: [UInt8], at moment: Double, in database: any SQLDatabase) throws -> Bool {
    try database.row(
      "SELECT 1 FROM person_sessions WHERE digest = ? AND seen < ?", [.blob(hash), .real(moment - step)]
    ) { _ in true } ?? false
  }

  static func touch(_ hash: [UInt8], at moment: Double, in database: any SQLDatabase) throws {
    try database.run("UPDATE person_sessions SET seen = ? WHERE digest = ?", [.real(moment), .blob(hash)])
  }

  /// Removes those that have ended.
  static func forget(at moment: Double, in database: any SQLDatabase) throws {
    try database.run(
      "DELETE FROM person_sessions WHERE created <= ? OR seen <= ?", [.real(moment - longest), .real(moment - idle)])
  }

  /// Sessions that go on, the newest first; of one account where one is named.
  static func list(_ person: String?, at moment: Double, in database: any SQLDatabase) throws -> [SessionEntry] {
    try database.rows(
      """
      SELECT s.id, s.person, p.name, s.agent, s.created, s.seen FROM person_sessions s JOIN people p ON p.id = s.person
      WHERE (?1 IS NULL OR s.person = ?1) AND s.created > ?2 AND s.seen > ?3 ORDER BY s.created DESC, s.id LIMIT 1000
      """, [.optional(person), .real(moment - longest), .real(moment - idle)]
    ) {
      SessionEntry(
        id: $0.text(0), person: $0.text(1), name: $0.text(2), agent: $0.text(3), created: $0.real(4), seen: $0.real(5),
        expires: expiry(created: $0.real(4), seen: $0.real(5)))
    }
  }

  /// Ends one session, or all of an account; says how many.
  static func end(id: String? = nil, person: String? = nil, in database: any SQLDatabase) throws -> Int {
    guard id != nil || person != nil else { return 0 }
    try database.run(
      "DELETE FROM person_sessions WHERE (?1 IS NULL OR id = ?1) AND (?2 IS NULL OR person = ?2)",
      [.optional(id), .optional(person)])
    return database.changes
  }
}
