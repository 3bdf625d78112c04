import MPaaSSupport

/// A role that vouches for targets, and whose word it is that it may.
struct TargetsRole: Sendable {
  let name: String
  let role: RoleKeys
  let keys: ExactMap<VerificationKey>

  init(name: String, role: RoleKeys, keys: ExactMap<VerificationKey>) {
    self.name = name
    self.role = role
    self.keys = keys
  }

  /// The top role, by the root's word.
  init(of root: RootMetadata) {
    self.init(name: TopRole.targets.rawValue, role: root.keys(of: .targets), keys: root.keys.known)
  }
}

/// A file that the repository offers, found by way of roles that may vouch for it.
public struct TrustedTarget: Sendable, Equatable {
  /// As the repository calls it: `patches/cart/3.mpatch`.
  public let name: String
  package let file: TargetFile
  /// The role whose metadata lists it.
  public let role: String

  package init(name: String, file: TargetFile, role: String) {
    self.name = name
    self.file = file
    self.role = role
  }

  /// Bytes.
  public var length: Int { file.length }
}

extension TrustedMetadata {
  /// The snapshot's entry for a role's file.
  ///
  /// - Throws: `TrustError` `metadata-not-in-snapshot`.
  func file(of role: TargetsRole) throws(TrustError) -> MetaFile {
    guard let meta = snapshot?.body.meta[role.name + ".json"] else {
      throw TrustError(.metadataNotInSnapshot, ["role": role.name])
    }
    return meta
  }

  /// The file of a role that came before, where enough keys of the role signed it; the same file may be asked for by
  /// another delegating role with other keys.
  func known(_ role: TargetsRole) throws(TrustError) -> TargetsMetadata? {
    guard let file = listed[role.name] else { return nil }
    try file.verify(by: role.role, keys: role.keys, name: role.name)
    return file.body
  }

  /// Takes the file of a role, top or delegated (5.6).
  ///
  /// - Throws: `TrustError` `metadata-not-in-snapshot`, `metadata-digest-mismatch`, `metadata-below-threshold`,
  ///   `metadata-mix-and-match` where its version is not the one of the snapshot, `metadata-expired`.
  @discardableResult
  mutating func update(targets bytes: [UInt8], of role: TargetsRole) throws(TrustError) -> TargetsMetadata {
    let meta = try file(of: role)
    guard meta.describes(bytes) else { throw TrustError(.metadataDigestMismatch, ["role": role.name]) }
    let next = try Self.read(bytes, as: TargetsMetadata.self)
    try next.verify(by: role.role, keys: role.keys, name: role.name)
    try Self.checkVersion(role.name, next.version, meta.version)
    try check(next, role.name)
    listed[role.name] = next
    return next.body
  }
}

/// The way through the delegations to the role that lists a target: depth first, in the order of the metadata, each
/// role once (5.6.7).
struct TargetSearch {
  private let name: String
  private var stack: [TargetsRole]
  private var visited: Set<ExactName> = []
  private let visits: Int
  private var visitsLeft: Int

  init(for name: String, from top: TargetsRole, visits: Int) {
    self.name = name
    stack = [top]
    self.visits = visits
    visitsLeft = visits
  }

  /// The role to ask now; nil where none is left.
  ///
  /// - Throws: `TrustError` `target-search-limit` where one is left and as many as may be were asked: the target may be
  ///   there, which is another answer than that no role lists it.
  mutating func next() throws(TrustError) -> TargetsRole? {
    while let role = stack.popLast() {
      guard visited.insert(ExactName(role.name)).inserted else { continue }
      guard visitsLeft > 0 else {
        throw TrustError(.targetSearchLimit, ["name": name, "limit": String(visits), "role": role.name])
      }
      visitsLeft -= 1
      return role
    }
    return nil
  }

  /// Takes what `role` says: the target, or whom to ask next.
  mutating func target(in metadata: TargetsMetadata, of role: TargetsRole) -> TrustedTarget? {
    if let file = metadata.targets[name] { return TrustedTarget(name: name, file: file, role: role.name) }
    guard let delegations = metadata.delegations else { return nil }
    let covering = delegations.roles(covering: name)
    if covering.last?.isTerminating == true { stack = [] }
    for next in covering.reversed() {
      stack.append(TargetsRole(name: next.name, role: next.keys, keys: delegations.keys.known))
    }
    return nil
  }
}
