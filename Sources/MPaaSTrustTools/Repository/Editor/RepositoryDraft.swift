package import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A repository while it is changed: what is published, and what is staged over it.
///
/// Changes make the next version of a role's metadata, without signatures; nothing is written before the editor does
/// it.
package struct RepositoryDraft: Sendable {
  package typealias Role = SignedMetadata<TargetsMetadata>

  package let folder: RepositoryFolder
  package let now: Date
  package var settings = RepositorySettings()
  package internal(set) var root: SignedMetadata<RootMetadata>?
  package internal(set) var snapshot: SignedMetadata<SnapshotMetadata>?
  package internal(set) var timestamp: SignedMetadata<TimestampMetadata>?
  package internal(set) var stagedRoot: SignedMetadata<RootMetadata>?
  /// Targets and those that it delegates to, by name.
  package internal(set) var staged: [String: Role] = [:]
  /// New content by its SHA-256, which is to be put into `staged/files/`.
  var content: [String: Bytes] = [:]
  /// The content of `staged/` when the draft was read.
  var stagedBefore: Set<String> = []
  private var published: [String: Role] = [:]

  /// A repository without anything.
  init(empty folder: RepositoryFolder, now: Date) {
    self.folder = folder
    self.now = now
  }

  /// Reads what is published and what is staged.
  ///
  /// - Throws: `TrustError` `repository-missing` where there is neither, `staged-outdated` where something was
  /// published
  ///   that a staged file does not know, and whatever a broken file is.
  package init(reading folder: RepositoryFolder, now: Date) throws(TrustError) {
    self.init(empty: folder, now: now)
    if let bytes = try folder.bytes(folder.settings) {
      settings = try RepositorySettings(reading: bytes, path: folder.settings)
    }
    if let version = folder.newestRoot { root = try folder.read(folder.metadata("root", version)) }
    timestamp = try folder.read(folder.timestamp)
    if let version = timestamp?.body.snapshot.version {
      snapshot = try folder.read(folder.metadata("snapshot", version))
      guard snapshot != nil else { throw Self.missing(folder.metadata("snapshot", version)) }
    }
    try readStaged()
    guard root != nil || stagedRoot != nil else { throw TrustError(.repositoryMissing, ["path": folder.path]) }
  }

  private mutating func readStaged() throws(TrustError) {
    let names = (try? FileSystem.names(in: folder.staged)) ?? []
    for name in names where name.hasSuffix(".json") {
      let role = String(name.dropLast(5))
      stagedBefore.insert(role)
      if role == "root" {
        guard let file: SignedMetadata<RootMetadata> = try folder.read(folder.staged(role)) else { continue }
        // A root that was published and not yet taken away when the last editor was killed.
        if let root, try Self.isStale(file, root, in: folder) { continue }
        stagedRoot = file
      } else {
        guard let file: Role = try folder.read(folder.staged(role)) else { continue }
        if let now = try publishedRole(role), try Self.isStale(file, now, in: folder) { continue }
        staged[role] = file
      }
    }
  }

  private static func isStale<Body>(
    _ staged: SignedMetadata<Body>, _ published: SignedMetadata<Body>, in folder: RepositoryFolder
  ) throws(TrustError) -> Bool {
    if staged.body.header.version > published.body.header.version { return false }
    guard staged.canonical == published.canonical else {
      throw TrustError(
        .stagedOutdated,
        ["file": "staged", "role": Body.type, "version": String(published.body.header.version), "path": folder.staged])
    }
    return true
  }

  static func missing(_ path: String) -> TrustError { TrustError(.repositoryFileMissing, ["path": path]) }

  /// The published metadata of a targets role; nil where there is none yet.
  package mutating func publishedRole(_ name: String) throws(TrustError) -> Role? {
    if let role = published[name] { return role }
    guard let version = snapshot?.body.meta[name + ".json"]?.version else { return nil }
    guard let role: Role = try folder.read(folder.metadata(name, version)) else {
      throw Self.missing(folder.metadata(name, version))
    }
    published[name] = role
    return role
  }

  mutating func remember(_ role: Role, as name: String) { published[name] = role }

  /// The future content of a targets role: staged, else published; nil where there is no such role.
  package mutating func body(of name: String) throws(TrustError) -> TargetsMetadata? {
    if let body = staged[name]?.body { return body }
    return try publishedRole(name)?.body
  }

  /// The future content of root.
  package var rootBody: RootMetadata? { stagedRoot?.body ?? root?.body }

  /// Changes what a targets role says, in its next version.
  ///
  /// - Throws: `TrustError` `role-unknown`, and what `edit` throws.
  package mutating func change(
    _ name: String, _ edit: (inout TargetsMetadata) throws(TrustError) -> Void
  ) throws(TrustError) {
    guard let before = try body(of: name) else { throw TrustError(.roleUnknown, ["role": name]) }
    var body = before
    try edit(&body)
    if body != before { try stage(body, as: name) }
  }

  /// Puts the next version of a targets role in place, without signatures.
  package mutating func stage(_ body: TargetsMetadata, as name: String) throws(TrustError) {
    var body = body
    body.header.version = (snapshot?.body.meta[name + ".json"]?.version ?? 0) + 1
    body.header.expires = settings.expiry(of: name, from: now)
    staged[name] = try Role(body)
  }

  /// Changes what root says, in its next version.
  package mutating func changeRoot(_ edit: (inout RootMetadata) throws(TrustError) -> Void) throws(TrustError) {
    guard var body = rootBody else { throw TrustError(.repositoryMissing, ["path": folder.path]) }
    try edit(&body)
    body.header.version = (root?.body.header.version ?? 0) + 1
    body.header.expires = settings.expiry(of: "root", from: now)
    stagedRoot = try SignedMetadata(body)
  }
}

// MARK: - The tree of roles

extension RepositoryDraft {
  /// A role that another one delegates to.
  package struct Delegation: Sendable, Equatable {
    package let parent: String
    package let name: String
    package let keys: RoleKeys
    package let known: ExactMap<VerificationKey>
    package let isBin: Bool
  }

  /// The roles that `body` delegates to, hashed bins with their names.
  static func children(of body: TargetsMetadata?, parent: String) -> [Delegation] {
    guard let delegations = body?.delegations else { return [] }
    let known = delegations.keys.known
    switch delegations.roles {
    case .listed(let roles):
      return roles.map { role in
        var isBin = false
        if case .hashPrefixes = role.scope { isBin = true }
        return Delegation(parent: parent, name: role.name, keys: role.keys, known: known, isBin: isBin)
      }
    case .succinct(let bins):
      guard bins.bitLength <= mostBinBits else { return [] }
      return bins.names.map { Delegation(parent: parent, name: $0, keys: bins.keys, known: known, isBin: true) }
    }
  }

  /// Bins beyond 2 to the power of this are not looked at one by one.
  static let mostBinBits = 14

  /// All roles below targets as they will be, parents first; bins delegate no further.
  package mutating func delegations() throws(TrustError) -> [Delegation] {
    var found: [Delegation] = []
    var seen: Set<String> = ["targets"]
    var waiting = ["targets"]
    while let parent = waiting.popLast() {
      for child in Self.children(of: try body(of: parent), parent: parent) where seen.insert(child.name).inserted {
        found.append(child)
        if !child.isBin { waiting.append(child.name) }
      }
    }
    return found
  }

  /// The keys of every role now and next: who has to sign it, those until now first.
  package mutating func keyHolders() throws(TrustError) -> [String: [Delegation]] {
    var holders: [String: [Delegation]] = [:]
    for top in TopRole.allCases {
      holders[top.rawValue] = [root?.body, stagedRoot?.body].compactMap { $0.map { Self.holder(top, $0) } }
    }
    var before: [String: [String: Delegation]] = [:]
    for next in try delegations() {
      if before[next.parent] == nil {
        let children = Self.children(of: try publishedRole(next.parent)?.body, parent: next.parent)
        before[next.parent] = Dictionary(children.map { ($0.name, $0) }) { $1 }
      }
      holders[next.name] = [before[next.parent]?[next.name], next].compactMap(\.self)
    }
    return holders.mapValues { list in list.count == 2 && list[0].hasSameKeys(as: list[1]) ? [list[1]] : list }
  }
}

extension RepositoryDraft.Delegation {
  /// Tells whether the same keys speak for the role.
  func hasSameKeys(as other: Self) -> Bool {
    keys == other.keys && keys.keyIDs.allSatisfy { known[$0] == other.known[$0] }
  }
}

extension TrustError.Code {
  package static let repositoryFileMissing = malformed("repository-file-missing")
  package static let stagedOutdated = TrustError.Code("staged-outdated", exit: .negative)
  package static let roleUnknown = TrustError.Code("role-unknown", exit: .inputMissing)
}
