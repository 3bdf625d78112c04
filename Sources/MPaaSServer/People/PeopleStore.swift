import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Accounts and teams in the database.
enum PeopleStore {
  static let most = 10_000

  // MARK: - Accounts

  static func people(in database: any SQLDatabase) throws -> [PersonEntry] {
    let teams = Dictionary(
      grouping: try database.rows(
        "SELECT m.person, t.name FROM team_members m JOIN teams t ON t.id = m.team ORDER BY t.name"
      ) { (person: $0.text(0), team: $0.text(1)) }, by: \.person)
    return try database.rows("\(personColumns) ORDER BY name", [], person).map { entry in
      var entry = entry
      entry.teams = teams[entry.id]?.map(\.team) ?? []
      return entry
    }
  }

  private static let personColumns = "SELECT id, name, mail, role, disabled, created, seen, subject FROM people"

  private static func person(_ row: SQLRow) -> PersonEntry {
    PersonEntry(
      id: row.text(0), name: row.text(1), mail: row.text(2), role: row.optionalText(3), isDisabled: row.integer(4) == 1,
      teams: [], created: row.real(5), seen: row.isNull(6) ? nil : row.real(6), subject: row.optionalText(7))
  }

  /// The account of an id or of a name.
  static func person(_ word: String, in database: any SQLDatabase) throws -> PersonEntry? {
    try database.row("\(personColumns) WHERE id = ?1 OR name = ?1 ORDER BY id <> ?1", [.text(word)], person)
  }

  /// The account that an issuer's name for a person is bound to.
  static func person(subject: String, in database: any SQLDatabase) throws -> PersonEntry? {
    try database.row("\(personColumns) WHERE subject = ?", [.text(subject)], person)
  }

  /// Binds an account to an issuer's name for a person, and takes its password away; nil ends that.
  ///
  /// - Throws: `person-subject-exists` where another account is bound to it.
  static func bind(_ id: String, to subject: String?, in database: any SQLDatabase) throws {
    if let subject, let other = try person(subject: subject, in: database), other.id != id {
      throw ServerError(.personSubject, ["name": other.name])
    }
    try database.run(
      "UPDATE people SET subject = ?1, password = CASE WHEN ?1 IS NULL THEN password END WHERE id = ?2",
      [.optional(subject), .text(id)])
  }

  private static let longestName = 100

  /// Tells whether a text is one that accounts have as their names.
  static func isName(_ text: String) -> Bool {
    let signs = Array("._@-+".utf8)
    return (1...longestName).contains(text.utf8.count)
      && text.utf8.allSatisfy { PercentEncoding.isAlphanumeric($0) || signs.contains($0) }
  }

  private static let longestSubject = 2300

  /// Tells whether a text is the address of an issuer, a blank, and its name for a person.
  static func isSubject(_ text: String) -> Bool {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    return text.utf8.count <= longestSubject && parts.count == 2 && parts[0].firstPlace(of: "://") != nil
      && !parts[1].isEmpty && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
  }

  /// Tells whether an account has a role for all apps, or for those of a team.
  static func hasRights(_ id: String, in database: any SQLDatabase) throws -> Bool {
    try database.row(
      """
      SELECT 1 FROM people p WHERE p.id = ?1 AND (p.role IS NOT NULL OR p.id IN (
      SELECT m.person FROM team_members m JOIN team_apps a ON a.team = m.team WHERE m.person = ?1))
      """, [.text(id)]
    ) { _ in true } ?? false
  }

  /// The account that may log in by a name, and the text of its password.
  static func login(_ name: String, in database: any SQLDatabase) throws -> (id: String, password: String?)? {
    try database.row("SELECT id, password FROM people WHERE name = ? AND disabled = 0", [.text(name)]) {
      (id: $0.text(0), password: $0.optionalText(1))
    }
  }

  /// Keeps an account; with a password where there is another one.
  ///
  /// - Throws: `person-exists` where another has the name.
  static func keep(_ person: PersonEntry, password: String?, in database: any SQLDatabase) throws {
    let other = try database.row(
      "SELECT 1 FROM people WHERE name = ? AND id <> ?", [.text(person.name), .text(person.id)]
    ) { _ in true }
    guard other == nil else { throw ServerError(.personExists, ["name": person.name]) }
    try database.run(
      """
      INSERT INTO people (id, name, mail, password, role, disabled, created) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, mail = excluded.mail, role = excluded.role,
      password = coalesce(excluded.password, people.password), disabled = excluded.disabled
      """,
      [
        .text(person.id), .text(person.name), .text(person.mail), .optional(password), .optional(person.role),
        .flag(person.isDisabled), .real(person.created),
      ])
  }

  // MARK: - Teams

  static func teams(in database: any SQLDatabase) throws -> [TeamEntry] {
    let apps = Dictionary(
      grouping: try database.rows("SELECT team, app FROM team_apps ORDER BY app") {
        (team: $0.text(0), app: $0.text(1))
      }, by: \.team)
    let members = Dictionary(
      grouping: try database.rows(
        """
        SELECT m.team, p.name, m.role FROM team_members m JOIN people p ON p.id = m.person ORDER BY p.name
        """
      ) { (team: $0.text(0), member: TeamEntry.Member(person: $0.text(1), role: $0.text(2))) }, by: \.team)
    return try database.rows("SELECT id, name FROM teams ORDER BY name") { ($0.text(0), $0.text(1)) }.map { id, name in
      TeamEntry(id: id, name: name, apps: apps[id]?.map(\.app) ?? [], members: members[id]?.map(\.member) ?? [])
    }
  }

  /// The team of an id or of a name.
  static func team(_ word: String, in database: any SQLDatabase) throws -> TeamEntry? {
    let all = try teams(in: database)
    return all.first { $0.id == word } ?? all.first { $0.name == word }
  }

  /// Keeps a team with its apps and members.
  ///
  /// - Throws: `team-exists`, `server-not-found` where an account is none.
  static func keep(_ team: TeamEntry, at now: Double, in database: any SQLDatabase) throws {
    let other = try database.row(
      "SELECT 1 FROM teams WHERE name = ? AND id <> ?", [.text(team.name), .text(team.id)]
    ) { _ in true }
    guard other == nil else { throw ServerError(.teamExists, ["name": team.name]) }
    try database.run(
      "INSERT INTO teams (id, name, created) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name",
      [.text(team.id), .text(team.name), .real(now)])
    try clear(team, in: database)
    for app in team.apps {
      try database.run("INSERT INTO team_apps (team, app) VALUES (?, ?)", [.text(team.id), .text(app)])
    }
    for member in team.members {
      guard let person = try person(member.person, in: database) else {
        throw ServerError(.notFound, ["reason": "person \(member.person)"])
      }
      try setMember(person.id, of: team.id, role: member.role, in: database)
    }
  }

  /// Makes an account a member of a team; nil takes it out.
  static func setMember(_ person: String, of team: String, role: String?, in database: any SQLDatabase) throws {
    guard let role else {
      try database.run("DELETE FROM team_members WHERE team = ? AND person = ?", [.text(team), .text(person)])
      return
    }
    try database.run(
      """
      INSERT INTO team_members (team, person, role) VALUES (?, ?, ?)
      ON CONFLICT (team, person) DO UPDATE SET role = excluded.role
      """, [.text(team), .text(person), .text(role)])
  }

  private static func clear(_ team: TeamEntry, in database: any SQLDatabase) throws {
    try database.run("DELETE FROM team_apps WHERE team = ?", [.text(team.id)])
    try database.run("DELETE FROM team_members WHERE team = ?", [.text(team.id)])
  }

  static func remove(_ team: TeamEntry, in database: any SQLDatabase) throws {
    try clear(team, in: database)
    try database.run("DELETE FROM teams WHERE id = ?", [.text(team.id)])
  }
}

extension CodedError<ServerDomain>.Code {
  /// Another account has the name.
  static var personExists: Self { ServerError.Code("person-exists", exit: .negative) }
  /// Another account is bound to the issuer's name for a person.
  static var personSubject: Self { ServerError.Code("person-subject-exists", exit: .negative) }
  /// An issuer lets the account in, which has no password.
  static var personExternal: Self { ServerError.Code("person-external", exit: .negative) }
  /// Another team has the name.
  static var teamExists: Self { ServerError.Code("team-exists", exit: .negative) }
  /// The password is too short, or too long.
  static var passwordWeak: Self { .malformed("password-weak") }
}
