import MPaaSSupport
package import MPaaSTrust

/// The change of the keys of a role.
package struct KeyRotation: Sendable {
  package var added: [VerificationKey]
  /// Key identifiers.
  package var removed: [String]
  /// nil leaves it as it is.
  package var threshold: Int?

  package init(adding added: [VerificationKey] = [], removing removed: [String] = [], threshold: Int? = nil) {
    self.added = added
    self.removed = removed
    self.threshold = threshold
  }

  func apply(to role: RoleKeys, name: String) throws(TrustError) -> RoleKeys {
    for identifier in removed where !role.keyIDs.contains(identifier) {
      throw TrustError(.keyNotOfRole, ["key": identifier, "role": name])
    }
    var role = role
    role.keyIDs.removeAll { removed.contains($0) }
    for key in added where !role.keyIDs.contains(key.keyID) { role.keyIDs.append(key.keyID) }
    role.threshold = threshold ?? role.threshold
    guard role.threshold >= 1, role.threshold <= role.keyIDs.count else {
      throw TrustError(
        .roleThreshold, ["role": name, "threshold": String(role.threshold), "keys": String(role.keyIDs.count)])
    }
    return role
  }
}

extension RepositoryDraft {
  /// Changes the keys of a role, in root or in the role that delegates to it.
  ///
  /// The role's metadata is staged anew, so that the new keys sign it; root is signed by the old and the new keys.
  ///
  /// - Throws: `TrustError` `role-unknown`, `key-not-of-role`, `role-threshold`, `role-has-bins` for a single bin.
  package mutating func rotate(_ role: String, _ rotation: KeyRotation) throws(TrustError) {
    if let top = TopRole(rawValue: role) {
      try changeRoot { body throws(TrustError) in
        body.roles[top] = try rotation.apply(to: body.keys(of: top), name: role)
        for key in rotation.added { body.keys.insert(key) }
        let used = Set(body.roles.values.flatMap(\.keyIDs))
        for identifier in body.keys.identifiers where !used.contains(identifier) { body.keys.remove(identifier) }
      }
      if top == .targets { try signAnew(role) }
      return
    }
    guard let own = try delegations().first(where: { $0.name == role }) else {
      throw TrustError(.roleUnknown, ["role": role])
    }
    let keys = try rotation.apply(to: own.keys, name: role)
    var touched = [role]
    try change(own.parent) { body throws(TrustError) in
      guard var delegations = body.delegations else { return }
      for key in rotation.added { delegations.keys.insert(key) }
      switch delegations.roles {
      case .succinct(var bins):
        touched = bins.names
        bins.keys = keys
        delegations.roles = .succinct(bins)
      case .listed(var roles):
        // Bins share their keys.
        let isBin = roles.contains { $0.name == role && $0.isBin }
        touched = roles.filter { $0.name == role || isBin && $0.isBin }.map(\.name)
        for index in roles.indices where touched.contains(roles[index].name) { roles[index].keys = keys }
        delegations.roles = .listed(roles)
      }
      delegations.removeUnusedKeys()
      body.delegations = delegations
    }
    for name in touched { try signAnew(name) }
  }

  /// Stages the next version of a role with the same content, where its published one is not signed by the keys to
  /// come.
  mutating func signAnew(_ role: String) throws(TrustError) {
    guard staged[role] == nil, let file = try publishedRole(role), let next = try keyHolders()[role]?.last,
      !next.accepts(file)
    else { return }
    try stage(file.body, as: role)
  }

  /// Does so for all roles whose keys are about to change.
  ///
  /// Something else may have been published meanwhile, with the keys until now.
  mutating func signAnewWhereKeysChange() throws(TrustError) {
    for (role, holders) in try keyHolders() where holders.count == 2 && staged[role] == nil {
      guard let file = try publishedRole(role), !holders[1].accepts(file) else { continue }
      try stage(file.body, as: role)
    }
  }

  /// Staged versions that are there for new keys only, and lack their signatures: with the old ones they are not
  /// needed.
  mutating func heldBack() throws(TrustError) -> Set<String> {
    var found: Set<String> = []
    for (role, holders) in try keyHolders() where holders.count == 2 {
      guard let file = staged[role], let published = try publishedRole(role), !holders[1].accepts(file) else {
        continue
      }
      let isSame = file.body.targets == published.body.targets && file.body.delegations == published.body.delegations
      if isSame { found.insert(role) }
    }
    return found
  }

  /// Stages the next version of root or a targets role, with the same content and a later expiry.
  package mutating func renew(_ role: String) throws(TrustError) {
    if role == "root" { return try changeRoot { _ in } }
    guard let body = try body(of: role) else { throw TrustError(.roleUnknown, ["role": role]) }
    try stage(body, as: role)
  }
}

extension TrustError.Code {
  package static let keyNotOfRole = TrustError.Code("key-not-of-role", exit: .usage)
}
