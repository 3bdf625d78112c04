import MPaaSSupport

/// The issuer by which people log in, and the meaning of its groups, read from a file at the start.
struct OpenIDSettings: Sendable, Equatable {
  /// A group that has a role in a team.
  struct TeamRule: Sendable, Equatable {
    var group: String
    /// The name or the id of the team.
    var team: String
    var role: Role
  }

  /// The address of the issuer, as it stands in its tokens.
  var issuer: OpenIDAddress
  /// The name by which the issuer knows the console.
  var client: String
  /// The secret that they share; nil for a client that has none.
  var secret: String?
  var scopes = ["openid", "profile", "email"]
  /// The claim that has the groups, or the path to it with dots.
  var groups = "groups"
  /// The roles for all apps by the groups that have them.
  var roles: ExactMap<Role> = [:]
  var teams: [TeamRule] = []
  /// The role of people without any of the groups; nil lets none of them in.
  var usual: Role?
  /// The domains of mail of whom may log in; empty for all.
  var domains: [String] = []
  /// The name of the issuer on the page.
  var name: String?
  /// A file of certificates to trust instead of the system's.
  var certificates: String?

  /// The variable of the environment that has the secret, where no file does.
  static let secretVariable = "MPAAS_OIDC_CLIENT_SECRET"
  private static let members: Set<String> = [
    "issuer", "client_id", "client_secret_file", "scopes", "groups_claim", "roles", "teams", "default_role",
    "allowed_domains", "name", "ca",
  ]
  private static let most = 1000

  init(issuer: OpenIDAddress, client: String) { (self.issuer, self.client) = (issuer, client) }

  /// - Throws: `server-oidc` with the member that cannot be used.
  init(_ file: String, environment: [String: String]) throws(ServerError) {
    func wrong(_ reason: String) -> ServerError { ServerError(.openIDSettings, ["path": file, "reason": reason]) }
    let members: JSONValue.Object
    do {
      let bytes = try Bytes.reading(file, limit: 1 << 20)
      members = try withExtendedLifetime(bytes) { try JSONValue(reading: bytes.buffer, by: .exact) }.object ?? [:]
    } catch {
      throw wrong((error as? any DiagnosticConvertible)?.diagnostic.id.name ?? "JSON")
    }
    if let other = members.first(where: { !Self.members.contains($0.key) }) { throw wrong(other.key) }
    guard let issuer = members["issuer"]?.string.flatMap(OpenIDAddress.init), !issuer.url.contains("?") else {
      throw wrong("issuer")
    }
    guard let client = members["client_id"]?.string, (1...1000).contains(client.utf8.count) else {
      throw wrong("client_id")
    }
    self.init(issuer: issuer, client: client)
    let folder = FileSystem.folder(of: file)
    func path(_ name: String) -> String { name.hasPrefix("/") ? name : "\(folder)/\(name)" }
    if let value = members["client_secret_file"] {
      guard let name = value.string, let bytes = try? Bytes.reading(path(name), limit: 4096) else {
        throw wrong("client_secret_file")
      }
      secret = String(bytes.text.prefix { !$0.isNewline })
      guard secret?.isEmpty == false else { throw wrong("client_secret_file") }
    } else if let variable = environment[Self.secretVariable], !variable.isEmpty {
      secret = variable
    }
    if let value = members["ca"] {
      guard let name = value.string else { throw wrong("ca") }
      certificates = path(name)
    }
    do throws(Fault) { try readPeople(members) } catch { throw wrong(error.member) }
  }

  private struct Fault: Error {
    var member: String
  }

  /// Reads the members that say who comes in as what.
  private mutating func readPeople(_ members: JSONValue.Object) throws(Fault) {
    if let scopes = try Self.texts("scopes", members) {
      guard scopes.allSatisfy({ $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c } }) else {
        throw Fault(member: "scopes")
      }
      self.scopes = scopes.contains("openid") ? scopes : ["openid"] + scopes
    }
    if let value = members["groups_claim"] {
      guard let name = value.string, !name.isEmpty else { throw Fault(member: "groups_claim") }
      groups = name
    }
    if let value = members["name"] {
      guard let text = value.string, (1...60).contains(text.count) else { throw Fault(member: "name") }
      name = text
    }
    domains = try Self.texts("allowed_domains", members)?.map { $0.lowercased() } ?? []
    if let value = members["default_role"], value != .null {
      guard let role = Self.role(value, Role.ofPeople) else { throw Fault(member: "default_role") }
      usual = role
    }
    if let value = members["roles"] {
      guard let object = value.object, object.count <= Self.most else { throw Fault(member: "roles") }
      for (group, word) in object {
        guard let role = Self.role(word, Role.ofPeople) else {
          throw Fault(member: "roles.\(group)")
        }
        roles[group] = role
      }
    }
    try readTeams(members)
    guard usual != nil || !roles.isEmpty || !teams.isEmpty else { throw Fault(member: "roles") }
  }

  private mutating func readTeams(_ members: JSONValue.Object) throws(Fault) {
    guard let value = members["teams"] else { return }
    guard let rules = value.array, rules.count <= Self.most else { throw Fault(member: "teams") }
    for (index, rule) in rules.enumerated() {
      guard let object = rule.object, Set(object.keys) == ["group", "team", "role"],
        let group = object["group"]?.string, let team = object["team"]?.string,
        let role = object["role"].flatMap({ Self.role($0, Role.ofMembers) })
      else { throw Fault(member: "teams[\(index)]") }
      teams.append(TeamRule(group: group, team: team, role: role))
    }
  }

  private static func role(_ value: JSONValue, _ roles: [Role]) -> Role? {
    value.string.flatMap(Role.init(rawValue:)).flatMap { roles.contains($0) ? $0 : nil }
  }

  private static func texts(_ name: String, _ members: JSONValue.Object) throws(Fault) -> [String]? {
    guard let value = members[name] else { return nil }
    guard let array = value.array, array.count <= most else { throw Fault(member: name) }
    var texts: [String] = []
    for element in array {
      guard let text = element.string, !text.isEmpty else { throw Fault(member: name) }
      texts.append(text)
    }
    return texts
  }
}
