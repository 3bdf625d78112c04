import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Accounts of people whom an issuer lets in, for one transaction: bound to the issuer's name for them alone, and with
/// the roles that its groups give them at each login.
struct OpenIDAccounts {
  /// The end of a login.
  enum Outcome: Sendable {
    /// Tells the account's name.
    case entered(String)
    case refused(ServerError)
  }

  let person: OpenIDPerson
  /// Seconds since 1970.
  let now: Double

  /// Brings the account up to date and begins a session for it, or ends all of them where it has no rights any more.
  ///
  /// - Parameters:
  ///   - session: The secret of the session.
  ///   - agent: The browser, as it says.
  func enter(_ session: String, agent: String, in database: any SQLDatabase) throws -> Outcome {
    let known = try PeopleStore.person(subject: person.subject, in: database)
    guard known?.isDisabled != true else { return try refuse(.openIDDisabled, known, in: database) }
    let teams = try person.memberships.compactMap { membership in
      try PeopleStore.team(membership.team, in: database).map { (team: $0, role: membership.role) }
    }
    guard known != nil || person.role != nil || teams.contains(where: { $0.role != nil && !$0.team.apps.isEmpty })
    else { return try refuse(.openIDRole, nil, in: database) }
    let account = try account(known, in: database)
    try change(teams, of: account, in: database)
    guard try PeopleStore.hasRights(account.id, in: database) else {
      _ = try Sessions.end(person: account.id, in: database)
      return try refuse(.openIDRole, account, in: database)
    }
    try Sessions.forget(at: now, in: database)
    try Sessions.insert(session, account.id, agent: agent, at: now, in: database)
    try note("login", account.name, "oidc", by: account.name, in: database)
    return .entered(account.name)
  }

  /// The account with the role and the mail that the issuer tells; a new one where there is none.
  private func account(_ known: PersonEntry?, in database: any SQLDatabase) throws -> PersonEntry {
    let role = person.role?.rawValue
    if var account = known {
      guard account.role != role || account.mail != person.mail else { return account }
      let detail = "oidc, role \(account.role ?? "none") → \(role ?? "none")"
      (account.role, account.mail) = (role, person.mail)
      try PeopleStore.keep(account, password: nil, in: database)
      try note("person.changed", account.name, detail, by: account.name, in: database)
      return account
    }
    let name = try person.names.first { try PeopleStore.person($0, in: database) == nil }
    let account = PersonEntry(
      id: Access.randomBytes(8).hexadecimal, name: name ?? Access.randomBytes(16).hexadecimal, mail: person.mail,
      role: role, isDisabled: false, teams: [], created: now, seen: nil)
    try PeopleStore.keep(account, password: nil, in: database)
    try PeopleStore.bind(account.id, to: person.subject, in: database)
    try note("person.created", account.name, "oidc, role \(role ?? "none")", by: account.name, in: database)
    return account
  }

  /// Makes the account a member of the teams that its groups name, and of none of the others that groups decide about.
  private func change(
    _ teams: [(team: TeamEntry, role: Role?)], of account: PersonEntry, in database: any SQLDatabase
  ) throws {
    for (team, role) in teams {
      let old = team.members.first { $0.person == account.name }?.role
      guard old != role?.rawValue else { continue }
      try PeopleStore.setMember(account.id, of: team.id, role: role?.rawValue, in: database)
      let detail = "oidc, \(account.name) \(old ?? "none") → \(role?.rawValue ?? "none")"
      try note("team.changed", team.name, detail, by: account.name, in: database)
    }
  }

  private func refuse(
    _ code: ServerError.Code, _ account: PersonEntry?, in database: any SQLDatabase
  ) throws -> Outcome {
    let name = account?.name ?? person.names.first ?? ""
    try note("login.refused", name, code.id.name, by: "", in: database)
    return .refused(ServerError(code, ["name": name]))
  }

  private func note(
    _ action: String, _ object: String, _ detail: String, by actor: String, in database: any SQLDatabase
  ) throws {
    let deed = AuditTrail.Deed(actor: actor, action: action, object: object, detail: detail)
    try AuditTrail.add(deed, at: now, in: database)
  }
}
