import HTTPTypes
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Changes of accounts, teams and sessions, as routes and pages make them.
struct PeopleChanges: Sendable {
  let services: ServerServices

  private static let longestName = 100
  private static let mostMembers = 1000

  /// The caller, who manages people of all apps.
  ///
  /// - Throws: `server-scope`.
  static func asker(_ context: ServerContext) throws -> Grant {
    guard let grant = context.grant, grant.managesAll else {
      throw Refusal(.scope, ["scope": Scope.admin.rawValue])
    }
    return grant
  }

  private func note(
    _ action: String, _ object: String, _ detail: String = "", by asker: Grant
  ) -> @Sendable (any SQLDatabase) throws -> Void {
    let now = services.now()
    let deed = AuditTrail.Deed(actor: asker.name, action: action, object: object, detail: detail)
    return { try AuditTrail.add(deed, at: now, in: $0) }
  }

  // MARK: - Accounts

  /// Makes an account.
  ///
  /// - Throws: `server-bad-request` naming the field, `password-weak`, `person-exists`, `server-scope`.
  func add(_ wish: PersonWish, by asker: Grant) async throws -> PersonEntry {
    guard wish.name != nil else { throw Refusal(.badRequest, ["reason": "name"]) }
    let blank = PersonEntry(
      id: Access.randomBytes(8).hexadecimal, name: "", mail: "", role: nil, isDisabled: false, teams: [],
      created: services.now(), seen: nil)
    return try await keep(try Self.changed(blank, by: wish), blank, wish.password, "person.created", by: asker)
  }

  /// Changes an account; what ends its rights ends its sessions.
  func change(_ word: String, _ wish: PersonWish, by asker: Grant) async throws -> PersonEntry {
    guard let person = try await services.store.read({ try PeopleStore.person(word, in: $0) }) else {
      throw Refusal(.notFound, ["reason": "person \(word.prefix(100))"])
    }
    // Only owners touch owners.
    try Self.check(person.role, asker)
    return try await keep(try Self.changed(person, by: wish), person, wish.password, "person.changed", by: asker)
  }

  private static func check(_ role: String?, _ asker: Grant) throws {
    if role == Role.owner.rawValue, !asker.permits(.own) { throw Refusal(.scope, ["scope": Scope.own.rawValue]) }
  }

  private static func changed(_ person: PersonEntry, by wish: PersonWish) throws -> PersonEntry {
    var person = person
    if let name = wish.name { person.name = name }
    if let mail = wish.mail { person.mail = mail }
    if let role = wish.role { person.role = role.isEmpty ? nil : role }
    if let disabled = wish.disabled { person.isDisabled = disabled }
    if let subject = wish.subject { person.subject = subject.isEmpty ? nil : subject }
    guard PeopleStore.isName(person.name) else { throw Refusal(.badRequest, ["reason": "name"]) }
    guard person.subject.map(PeopleStore.isSubject) ?? true else { throw Refusal(.badRequest, ["reason": "subject"]) }
    // Whom an issuer lets in has no second way in.
    guard person.subject == nil || wish.password == nil else { throw Refusal(.personExternal, ["name": person.name]) }
    guard person.mail.isEmpty || MailAddress.isOne(person.mail) else { throw Refusal(.badRequest, ["reason": "mail"]) }
    guard person.role.map({ Role(rawValue: $0) != nil && $0 != Role.ingest.rawValue }) ?? true else {
      throw Refusal(.badRequest, ["reason": "role"])
    }
    return person
  }

  private func keep(
    _ person: PersonEntry, _ old: PersonEntry, _ password: String?, _ action: String, by asker: Grant
  ) async throws -> PersonEntry {
    try Self.check(person.role, asker)
    let stored = try await Self.stored(password)
    let isBound = person.subject != old.subject
    let details = [
      person.role.map { "role \($0)" }, person.isDisabled ? "disabled" : nil, stored.map { _ in "password" },
      isBound ? "subject \(person.subject ?? "none")" : nil,
    ].compactMap(\.self).joined(separator: ", ")
    let note = note(action, person.name, details, by: asker)
    let kept = try await services.store.write { database in
      try PeopleStore.keep(person, password: stored, in: database)
      if isBound { try PeopleStore.bind(person.id, to: person.subject, in: database) }
      if person.isDisabled || stored != nil || isBound { _ = try Sessions.end(person: person.id, in: database) }
      try note(database)
      return try PeopleStore.people(in: database).first { $0.id == person.id } ?? person
    }
    services.access.forget { $0.person == person.id }
    return kept
  }

  private static func stored(_ password: String?) async throws -> String? {
    guard let password else { return nil }
    guard Password.isGood(password) else { throw Refusal(.passwordWeak, ["least": String(Password.least)]) }
    guard let stored = await Password.stored(password) else { throw Refusal(.fault, ["reason": "scrypt"]) }
    return stored
  }

  /// Changes the password of who is logged in, who says the old one, too; all of their sessions end.
  func changeOwnPassword(from old: String, to new: String, by asker: Grant) async throws {
    guard asker.person != nil,
      let login = try await services.store.read({ try PeopleStore.login(asker.name, in: $0) }),
      await Password.isRight(old, login.password)
    else { throw Refusal(.tokenUnknown, status: .forbidden) }
    let stored = try await Self.stored(new)
    let note = note("person.password", asker.name, by: asker)
    try await services.store.write { database in
      guard let person = try PeopleStore.person(login.id, in: database) else { return }
      try PeopleStore.keep(person, password: stored, in: database)
      _ = try Sessions.end(person: login.id, in: database)
      try note(database)
    }
    services.access.forget { $0.person == login.id }
  }

  // MARK: - Teams

  func add(_ wish: TeamWish, by asker: Grant) async throws -> TeamEntry {
    guard wish.name != nil else { throw Refusal(.badRequest, ["reason": "name"]) }
    let blank = TeamEntry(id: Access.randomBytes(8).hexadecimal, name: "", apps: [], members: [])
    return try await keep(try changed(blank, by: wish), "team.created", by: asker)
  }

  func change(_ word: String, _ wish: TeamWish, by asker: Grant) async throws -> TeamEntry {
    try await keep(try changed(try await team(word), by: wish), "team.changed", by: asker)
  }

  func team(_ word: String) async throws -> TeamEntry {
    guard let team = try await services.store.read({ try PeopleStore.team(word, in: $0) }) else {
      throw Refusal(.notFound, ["reason": "team \(word.prefix(100))"])
    }
    return team
  }

  private func changed(_ team: TeamEntry, by wish: TeamWish) throws -> TeamEntry {
    var team = team
    if let name = wish.name { team.name = name }
    if let members = wish.members { team.members = members }
    if let apps = wish.apps {
      team.apps = Set(
        try apps.map { word in
          guard let app = services.access.app(named: word) else { throw Refusal(.badRequest, ["reason": "apps"]) }
          return app.key
        }
      ).sorted()
    }
    guard (1...Self.longestName).contains(team.name.utf8.count), !team.name.contains(where: \.isNewline) else {
      throw Refusal(.badRequest, ["reason": "name"])
    }
    // An owner is one of all apps.
    let roles: [Role] = [.admin, .member, .reader]
    guard team.members.count <= Self.mostMembers,
      team.members.allSatisfy({ member in roles.contains { $0.rawValue == member.role } })
    else { throw Refusal(.badRequest, ["reason": "members"]) }
    return team
  }

  private func keep(_ team: TeamEntry, _ action: String, by asker: Grant) async throws -> TeamEntry {
    let members = team.members.map { "\($0.person) \($0.role)" }.joined(separator: ", ")
    let (now, note) = (services.now(), note(action, team.name, members, by: asker))
    try await services.store.write { database in
      try PeopleStore.keep(team, at: now, in: database)
      try note(database)
    }
    services.access.forget { $0.person != nil }
    return try await self.team(team.id)
  }

  func removeTeam(_ word: String, by asker: Grant) async throws {
    let team = try await team(word)
    let note = note("team.removed", team.name, by: asker)
    try await services.store.write { database in
      try PeopleStore.remove(team, in: database)
      try note(database)
    }
    services.access.forget { $0.person != nil }
  }

  // MARK: - Sessions

  /// Ends a session; somebody's own, or anybody's where the caller manages people.
  ///
  /// - Throws: `server-not-found`.
  func endSession(_ id: String, ofPerson person: String?, by asker: Grant) async throws {
    let note = note("session.ended", id, by: asker)
    let isEnded = try await services.store.write { database in
      guard try Sessions.end(id: id, person: person, in: database) > 0 else { return false }
      try note(database)
      return true
    }
    guard isEnded else { throw Refusal(.notFound, ["reason": "session \(id.prefix(100))"]) }
    services.access.forget { $0.id == "session-" + id }
  }
}
