import MPaaSSupport
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The metadata that goes out together.
struct Publication: Sendable {
  var root: SignedMetadata<RootMetadata>
  var isNewRoot: Bool
  /// New versions of targets roles.
  var roles: [String: RepositoryDraft.Role] = [:]
  var snapshot: SignedMetadata<SnapshotMetadata>?
  var timestamp: SignedMetadata<TimestampMetadata>?

  var isEmpty: Bool { !isNewRoot && roles.isEmpty && snapshot == nil && timestamp == nil }
}

/// The metadata that `refresh` renews although nothing changed.
package enum Renewal: Sendable {
  case nothing
  /// Timestamp, and snapshot in the second half of its time.
  case due
  case all
}

extension RepositoryDraft {
  /// Puts together what can be published now, signing snapshot and timestamp with `keys`.
  ///
  /// A role's staged version goes out once its keys and those of all roles below it signed; a new root once what is
  /// published with it is signed by the keys that it names.
  ///
  /// - Returns: What goes out, and the online roles that could not be signed with the keys at hand.
  mutating func publication(
    with keys: [SigningKey], renewing renewal: Renewal = .nothing
  ) throws(TrustError) -> (publication: Publication?, blocked: [PendingRole]) {
    var blocked: [PendingRole] = []
    let waiting = try heldBack()
    for candidate in try rootCandidates() {
      let attempt = try publication(under: candidate, with: keys, renewing: renewal, without: waiting)
      if let publication = attempt.publication { return (publication.isEmpty ? nil : publication, blocked) }
      if blocked.isEmpty { blocked = attempt.blocked }
    }
    return (nil, blocked)
  }

  /// The staged root where it has all its signatures, then the published one.
  private mutating func rootCandidates() throws(TrustError) -> [SignedMetadata<RootMetadata>] {
    var candidates: [SignedMetadata<RootMetadata>] = []
    if let stagedRoot, try (keyHolders()["root"] ?? []).allSatisfy({ $0.accepts(stagedRoot) }) {
      candidates.append(stagedRoot)
    }
    if let root { candidates.append(root) }
    return candidates
  }

  private mutating func publication(
    under root: SignedMetadata<RootMetadata>, with keys: [SigningKey], renewing renewal: Renewal,
    without waiting: Set<String>
  ) throws(TrustError) -> (publication: Publication?, blocked: [PendingRole]) {
    var publication = Publication(
      root: root, isNewRoot: root.body.header.version != self.root?.body.header.version)
    let holder = Self.holder(.targets, root.body)
    guard try choose("targets", holder, isTrusted: false, without: waiting, into: &publication.roles) else {
      return (nil, [])
    }
    var blocked: [PendingRole] = []
    let snapshotHolder = Self.holder(.snapshot, root.body)
    var holders = [self.root?.body, root.body].compactMap(\.self)
    if !publication.isNewRoot { holders = [root.body] }
    if !publication.roles.isEmpty || needs(snapshot, snapshotHolder, renewal, "snapshot") {
      var file = try SignedMetadata(nextSnapshot(with: publication.roles))
      _ = try file.sign(with: keys, for: holders.map { Self.holder(.snapshot, $0) })
      publication.snapshot = file
      if !snapshotHolder.accepts(file) { blocked.append(pending("snapshot", file, snapshotHolder)) }
    }
    let timestampHolder = Self.holder(.timestamp, root.body)
    if publication.snapshot != nil || needs(timestamp, timestampHolder, renewal, "timestamp") {
      guard let next = publication.snapshot ?? snapshot else { return (nil, blocked) }
      var file = try SignedMetadata(nextTimestamp(of: next))
      _ = try file.sign(with: keys, for: holders.map { Self.holder(.timestamp, $0) })
      publication.timestamp = file
      if !timestampHolder.accepts(file) { blocked.append(pending("timestamp", file, timestampHolder)) }
    }
    return (blocked.isEmpty ? publication : nil, blocked)
  }

  static func holder(_ role: TopRole, _ root: RootMetadata) -> Delegation {
    Delegation(parent: "root", name: role.rawValue, keys: root.keys(of: role), known: root.keys.known, isBin: false)
  }

  private func pending<Body>(_ role: String, _ file: SignedMetadata<Body>, _ holder: Delegation) -> PendingRole {
    PendingRole(
      role: role, version: file.body.header.version, quorums: [holder.quorum(of: file)], added: [], changed: [],
      removed: [])
  }

  private func needs<Body>(
    _ file: SignedMetadata<Body>?, _ holder: Delegation, _ renewal: Renewal, _ role: String
  ) -> Bool {
    guard let file, holder.accepts(file), renewal != .all else { return true }
    guard renewal == .due else { return false }
    return role == "timestamp" || isHalfway(file.body.header, role)
  }

  /// Tells whether less than half of a role's time is left.
  func isHalfway(_ header: MetadataHeader, _ role: String) -> Bool {
    header.expires.timeIntervalSince(now) < Double(settings.days(of: role)) * 43_200
  }

  /// Picks the staged version of a role where it and all below it are signed, else the published one.
  ///
  /// - Parameter isTrusted: Whether the published version was published under these very keys.
  private mutating func choose(
    _ role: String, _ holder: Delegation, isTrusted: Bool, without waiting: Set<String>,
    into chosen: inout [String: Role], depth: Int = 0
  ) throws(TrustError) -> Bool {
    guard depth < 32 else { return false }
    let published = try publishedRole(role)
    if let file = staged[role], !waiting.contains(role), holder.accepts(file) {
      var attempt = chosen
      attempt[role] = file
      if try chooseChildren(of: file.body, role, before: published?.body, without: waiting, into: &attempt, depth) {
        chosen = attempt
        return true
      }
    }
    guard let published, isTrusted || holder.accepts(published) else { return false }
    return try chooseChildren(of: published.body, role, before: published.body, without: waiting, into: &chosen, depth)
  }

  private mutating func chooseChildren(
    of body: TargetsMetadata, _ parent: String, before: TargetsMetadata?, without waiting: Set<String>,
    into chosen: inout [String: Role], _ depth: Int
  ) throws(TrustError) -> Bool {
    let old = Dictionary(Self.children(of: before, parent: parent).map { ($0.name, $0) }) { $1 }
    for child in Self.children(of: body, parent: parent) {
      let isTrusted = old[child.name]?.hasSameKeys(as: child) ?? false
      if isTrusted, child.isBin, staged[child.name] == nil { continue }
      guard
        try choose(
          child.name, child, isTrusted: isTrusted, without: waiting, into: &chosen, depth: depth + 1)
      else { return false }
    }
    return true
  }

  private func nextSnapshot(with roles: [String: Role]) throws(TrustError) -> SnapshotMetadata {
    var meta = snapshot?.body.meta ?? [:]
    for (name, file) in roles {
      let encoded = file.encoded
      meta[name + ".json"] = MetaFile(
        version: file.body.header.version, length: encoded.count, digests: .sha256(of: encoded))
    }
    let header = MetadataHeader(
      version: (snapshot?.body.header.version ?? 0) + 1, expires: settings.expiry(of: "snapshot", from: now))
    return SnapshotMetadata(header: header, meta: meta)
  }

  private func nextTimestamp(of snapshot: SignedMetadata<SnapshotMetadata>) -> TimestampMetadata {
    let header = MetadataHeader(
      version: (timestamp?.body.header.version ?? 0) + 1, expires: settings.expiry(of: "timestamp", from: now))
    // A published snapshot is there byte for byte; written again it could differ in the order of its signatures.
    let isNew = snapshot.body.header.version != self.timestamp?.body.snapshot.version
    let encoded = snapshot.encoded
    let meta =
      isNew || self.timestamp == nil
      ? MetaFile(version: snapshot.body.header.version, length: encoded.count, digests: .sha256(of: encoded))
      : self.timestamp?.body.snapshot ?? MetaFile(version: snapshot.body.header.version)
    return TimestampMetadata(header: header, snapshot: meta)
  }
}
