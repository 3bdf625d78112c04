import MPaaSDigests
import MPaaSSupport

/// A person as their issuer tells of them, and as the console takes them.
struct OpenIDPerson: Sendable, Equatable {
  /// A team that the issuer's groups decide about.
  struct Membership: Sendable, Equatable {
    /// The name or the id of the team.
    var team: String
    /// nil is for one that they are not in.
    var role: Role?
  }

  /// The issuer and its name for the person, which is another one for each and never changes.
  var subject: String
  /// The names that an account may get, the best first.
  var names: [String]
  var mail: String
  var role: Role?
  var memberships: [Membership]

  /// - Throws: `oidc-domain` where the person is of none of the domains.
  init(
    _ subject: String, _ claims: JSONValue.Object, groups: [String], _ settings: OpenIDSettings
  ) throws(ServerError) {
    self.subject = Self.subject(settings.issuer.url, subject)
    let mail = claims["email"]?.string.flatMap { MailAddress.isOne($0) ? $0 : nil } ?? ""
    if !settings.domains.isEmpty {
      let isVerified = claims["email_verified"]?.bool ?? (claims["email_verified"]?.string == "true")
      let domain = mail.split(separator: "@").last?.lowercased()
      guard isVerified, let domain, settings.domains.contains(domain) else { throw ServerError(.openIDDomain) }
    }
    self.mail = mail
    let wished = [claims["preferred_username"]?.string, mail].compactMap(\.self).filter(PeopleStore.isName)
    // Whoever has the best name already, this one is free.
    let mark = self.subject.utf8.sha256.hexadecimal
    names = wished + ["\(wished.first?.prefix(60) ?? "user")-\(mark.prefix(8))", "user-\(mark)"]
    role = Self.best(groups.compactMap { settings.roles[$0] }) ?? settings.usual
    memberships = []
    for rule in settings.teams where !memberships.contains(where: { $0.team == rule.team }) {
      let rules = settings.teams.filter { $0.team == rule.team }
      let roles = rules.filter { rule in groups.contains { $0.utf8.elementsEqual(rule.group.utf8) } }.map(\.role)
      memberships.append(Membership(team: rule.team, role: Self.best(roles)))
    }
  }

  /// The text that an account is bound to: neither part of it has a blank.
  static func subject(_ issuer: String, _ name: String) -> String { "\(issuer) \(name)" }

  /// The role of several that may most.
  private static func best(_ roles: [Role]) -> Role? { Role.allCases.first(where: roles.contains) }

  /// The groups of a claim, or of one within others by a path with dots; nil where there is no such claim.
  static func groups(_ claims: JSONValue.Object, _ name: String) -> [String]? {
    var value = claims[name]
    if value == nil {
      var object: JSONValue.Object? = claims
      for part in name.split(separator: ".", omittingEmptySubsequences: false) {
        value = object?[String(part)]
        object = value?.object
      }
    }
    guard let value, value != .null else { return nil }
    return value.array?.compactMap(\.string) ?? value.string.map { [$0] } ?? []
  }
}
