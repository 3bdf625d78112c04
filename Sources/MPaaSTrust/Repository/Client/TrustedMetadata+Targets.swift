/// A role that vouches for targets, and whose word it is that it may.
struct TargetsRole: Sendable {
  let name: String
  let role: RoleKeys
  let keys: [String: VerificationKey]

  init(name: String, role: RoleKeys, keys: [String: VerificationKey]) {
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
  /// What the snapshot says of a role's file.
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

/// The way through the delegations to the role that lists a target: depth first, in the order of the metadata, each role
/// once (5.6.7).
struct TargetSearch {
  private let name: String
  private var stack: [TargetsRole]
  private var visited: Set<String> = []
  private var visitsLeft: Int

  init(for name: String, from top: TargetsRole, visits: Int) {
    self.name = name
    stack = [top]
    visitsLeft = visits
  }

  /// The role to ask now; nil where nobody is left, or too many were asked.
  mutating func next() -> TargetsRole? {
    while let role = stack.popLast() {
      guard visited.insert(role.name).inserted else { continue }
      guard visitsLeft > 0 else { return nil }
      visitsLeft -= 1
      return role
    }
    return nil
  }

  /// Takes what `role` says: the target, or whom to ask next.
  mutating func target(in metadata: TargetsMetadata, of role: TargetsRole) -> TrustedTarget? {
    // Swift compares strings by their normalised form; two names that only look the same are different files.
    if let index = metadata.targets.index(forKey: name), metadata.targets[index].key.utf8.elementsEqual(name.utf8) {
      return TrustedTarget(name: name, file: metadata.targets[index].value, role: role.name)
    }
    guard let delegations = metadata.delegations else { return nil }
    let covering = delegations.roles(covering: name)
    if covering.last?.isTerminating == true { stack = [] }
    for next in covering.reversed() {
      stack.append(TargetsRole(name: next.name, role: next.keys, keys: delegations.keys.known))
    }
    return nil
  }
}
