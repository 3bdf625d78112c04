import MPaaSSupport
package import MPaaSTrust

extension RepositoryDraft {
  /// The properties of a role that gets a part of the names.
  package struct NewRole: Sendable {
    package var name: String
    package var keys: [VerificationKey]
    package var threshold: Int
    package var paths: [String]
    package var isTerminating: Bool
    /// Tells whether `refresh` renews it with keys that are always at hand.
    package var isOnline: Bool

    package init(
      _ name: String, paths: [String], keys: [VerificationKey], threshold: Int = 1, isTerminating: Bool = false,
      isOnline: Bool = false
    ) {
      self.name = name
      self.paths = paths
      self.keys = keys
      self.threshold = threshold
      self.isTerminating = isTerminating
      self.isOnline = isOnline
    }
  }

  /// Hands the names of `role.paths` to a new role, or changes keys, threshold and names of one that is there.
  ///
  /// - Throws: `TrustError` `role-name`, `role-threshold`, `role-unknown`, `role-has-bins`, `role-delegated-twice`.
  package mutating func delegate(_ role: NewRole, from parent: String = "targets") throws(TrustError) {
    try TargetName.validate(role: role.name)
    try Self.checkThreshold(role.threshold, of: role.keys, role: role.name)
    guard !role.paths.isEmpty else { throw TrustError(.rolePaths, ["role": role.name]) }
    if let other = try delegations().first(where: { $0.name == role.name }), other.parent != parent {
      throw TrustError(.roleDelegatedTwice, ["role": role.name, "parent": other.parent])
    }
    let entry = DelegatedRole(
      name: role.name, keys: RoleKeys(keyIDs: role.keys.map(\.keyID), threshold: role.threshold),
      isTerminating: role.isTerminating, scope: .paths(role.paths))
    try change(parent) { body throws(TrustError) in try Self.insert(entry, keys: role.keys, into: &body, of: parent) }
    if role.isOnline, !settings.onlineRoles.contains(role.name) { settings.onlineRoles.append(role.name) }
    if try body(of: role.name) == nil { try stage(emptyRole, as: role.name) }
    try signAnew(role.name)
  }

  private var emptyRole: TargetsMetadata { TargetsMetadata(header: MetadataHeader(version: 1, expires: now)) }

  private static func insert(
    _ entry: DelegatedRole, keys: [VerificationKey], into body: inout TargetsMetadata, of parent: String
  ) throws(TrustError) {
    var delegations = body.delegations ?? Delegations()
    guard case .listed(var roles) = delegations.roles else { throw TrustError(.roleHasBins, ["role": parent]) }
    for key in keys { delegations.keys.insert(key) }
    if let index = roles.firstIndex(where: { $0.name == entry.name }) {
      roles[index] = entry
    } else {
      // Before bins, which cover every name.
      let index = roles.firstIndex { if case .hashPrefixes = $0.scope { true } else { false } } ?? roles.endIndex
      roles.insert(entry, at: index)
    }
    delegations.roles = .listed(roles)
    delegations.removeUnusedKeys()
    body.delegations = delegations
  }

  /// Takes a role's part of the names back; its targets are gone with it.
  ///
  /// Its last metadata stays in the snapshot, as clients insist on (TUF section 5.5.5).
  package mutating func revoke(_ name: String) throws(TrustError) {
    guard let own = try delegations().first(where: { $0.name == name }), !own.isBin else {
      throw TrustError(.roleUnknown, ["role": name])
    }
    try change(own.parent) { body throws(TrustError) in
      guard var delegations = body.delegations, case .listed(var roles) = delegations.roles else { return }
      roles.removeAll { $0.name == name }
      delegations.roles = .listed(roles)
      delegations.removeUnusedKeys()
      body.delegations = roles.isEmpty ? nil : delegations
    }
    settings.onlineRoles.removeAll { $0 == name }
    let left = Set(try delegations().map(\.name))
    for role in staged.keys where role != "targets" && !left.contains(role) { staged[role] = nil }
  }

  /// Divides the targets of a role among hashed bins, so that a client of a large repository fetches one small part.
  ///
  /// - Parameters:
  ///   - count: A power of two from 2 to 16,384.
  ///   - isSuccinct: Whether the bins are told in one entry (TAP 15) instead of one each; for a role without other
  ///     delegations.
  package mutating func divide(
    _ role: String, into count: Int, prefix: String, keys: [VerificationKey], threshold: Int = 1,
    isSuccinct: Bool = false
  ) throws(TrustError) {
    guard count >= 2, count <= 1 << Self.mostBinBits, count & (count - 1) == 0 else {
      throw TrustError(.binCount, ["count": String(count)])
    }
    try TargetName.validate(role: prefix)
    try Self.checkThreshold(threshold, of: keys, role: prefix)
    let holders = RoleKeys(keyIDs: keys.map(\.keyID), threshold: threshold)
    let bins = SuccinctRoles(keys: holders, bitLength: count.trailingZeroBitCount, namePrefix: prefix)
    var moved: ExactMap<TargetFile> = [:]
    try change(role) { body throws(TrustError) in
      var delegations = body.delegations ?? Delegations()
      guard case .listed(var roles) = delegations.roles, !roles.contains(where: \.isBin), !isSuccinct || roles.isEmpty
      else { throw TrustError(.roleHasBins, ["role": role]) }
      for key in keys { delegations.keys.insert(key) }
      if isSuccinct {
        delegations.roles = .succinct(bins)
      } else {
        roles += bins.listed
        delegations.roles = .listed(roles)
      }
      moved = body.targets
      body.targets = [:]
      body.delegations = delegations
    }
    var parts: [String: ExactMap<TargetFile>] = [:]
    for (name, file) in moved { parts[bins.bin(of: name), default: [:]][name] = file }
    for name in bins.names {
      var body = emptyRole
      body.targets = parts[name] ?? [:]
      try stage(body, as: name)
    }
  }

  static func checkThreshold(_ threshold: Int, of keys: [VerificationKey], role: String) throws(TrustError) {
    guard threshold >= 1, threshold <= Set(keys).count else {
      throw TrustError(
        .roleThreshold, ["role": role, "threshold": String(threshold), "keys": String(Set(keys).count)])
    }
  }
}

extension DelegatedRole {
  var isBin: Bool { if case .hashPrefixes = scope { true } else { false } }
}

extension SuccinctRoles {
  /// The same bins as roles of their own, each with the beginnings of digests that it covers.
  var listed: [DelegatedRole] {
    let digits = max(1, (bitLength + 3) / 4)
    let each = (1 << (4 * digits)) / count
    return (0..<count).map { number in
      let prefixes = (number * each..<(number + 1) * each).map { $0.padded(to: digits, radix: 16) }
      return DelegatedRole(name: bin(at: UInt32(number)), keys: keys, scope: .hashPrefixes(prefixes))
    }
  }
}

extension Delegations {
  /// Drops keys that no role has any more.
  mutating func removeUnusedKeys() {
    let used: Set<String>
    switch roles {
    case .listed(let list): used = Set(list.flatMap(\.keys.keyIDs))
    case .succinct(let bins): used = Set(bins.keys.keyIDs)
    }
    for identifier in keys.identifiers where !used.contains(identifier) { keys.remove(identifier) }
  }
}

extension TrustError.Code {
  package static let rolePaths = TrustError.Code("role-paths", exit: .usage)
  package static let roleThreshold = TrustError.Code("role-threshold", exit: .usage)
  package static let roleHasBins = TrustError.Code("role-has-bins", exit: .usage)
  package static let roleDelegatedTwice = TrustError.Code("role-delegated-twice", exit: .usage)
  package static let binCount = TrustError.Code("bin-count", exit: .usage)
}
