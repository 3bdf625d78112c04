import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The metadata that a client trusts at one moment, and the rules by which newer metadata may take its place.
///
/// A pure value: bytes come in, and are either trusted from then on or refused with nothing changed. Each file is
/// checked by those before it, in the order root, timestamp, snapshot, targets, delegated roles.
///
/// Source: TUF 1.0.34, sections 5.3 to 5.6.
package struct TrustedMetadata: Sendable {
  /// The time that everything's expiry is compared with: the moment at which the update began (section 5.1).
  package let start: Date
  package private(set) var root: SignedMetadata<RootMetadata>
  package private(set) var timestamp: SignedMetadata<TimestampMetadata>?
  /// The last one that was trusted; newer than it is `update(snapshot:)`.
  package private(set) var snapshot: SignedMetadata<SnapshotMetadata>?
  /// Targets files whose digest and version the snapshot names, by role; signatures depend on the asking role.
  var listed: ExactMap<SignedMetadata<TargetsMetadata>> = [:]

  /// Takes a root that is trusted already: it came with the app, or an earlier update verified it.
  ///
  /// - Throws: `TrustError` where it is no root or not signed by its own keys.
  package init(root bytes: [UInt8], start: Date) throws(TrustError) {
    let root = try Self.read(bytes, as: RootMetadata.self)
    try root.verify(by: root.body.keys(of: .root), keys: root.body.keys.known, name: "root")
    self.root = root
    self.start = start
  }

  // MARK: - Root (5.3)

  /// Takes the next root: its version one higher, signed by enough keys of the old root and of itself.
  ///
  /// A root that takes away a key of timestamp or snapshot has those files forgotten, so that version numbers which a
  /// thief of the key drove up do not bind (5.3.11).
  ///
  /// - Returns: Whether timestamp and snapshot are to be forgotten.
  /// - Throws: `TrustError` `root-below-threshold` (old keys), `metadata-below-threshold` (new keys),
  ///   `root-version-skipped`.
  @discardableResult
  package mutating func update(root bytes: [UInt8]) throws(TrustError) -> Bool {
    let next = try Self.read(bytes, as: RootMetadata.self)
    let role = root.body.keys(of: .root)
    let signers = next.signers(of: role, keys: root.body.keys.known).count
    guard role.threshold >= 1, signers >= role.threshold else {
      throw TrustError(
        .rootBelowThreshold,
        ["version": String(next.version), "valid": String(signers), "threshold": String(role.threshold)])
    }
    try next.verify(by: next.body.keys(of: .root), keys: next.body.keys.known, name: "root")
    guard next.version == root.version + 1 else {
      throw TrustError(
        .rootVersionSkipped, ["found": String(next.version), "expected": String(root.version + 1)])
    }
    let forgets = [TopRole.timestamp, .snapshot].contains { root.body.loses(aKeyOf: $0, in: next.body) }
    root = next
    if forgets {
      timestamp = nil
      snapshot = nil
      listed = [:]
    }
    return forgets
  }

  /// Says that no newer root is to come (5.3.10).
  ///
  /// - Throws: `TrustError` `metadata-expired`.
  package func checkRoot() throws(TrustError) {
    try check(root, "root")
  }

  // MARK: - Timestamp (5.4)

  /// Takes a timestamp that an earlier update trusted: it may have expired, but its keys must still be the role's.
  package mutating func keep(timestamp bytes: [UInt8]) throws(TrustError) {
    timestamp = try verified(bytes, as: TimestampMetadata.self, role: .timestamp)
  }

  /// Takes a timestamp that just came.
  ///
  /// - Returns: Whether it is newer than the one that is trusted; of the same version the old one stays.
  /// - Throws: `TrustError` `metadata-rollback`, `timestamp-frozen` where it has expired.
  package mutating func update(timestamp bytes: [UInt8]) throws(TrustError) -> Bool {
    let next = try verified(bytes, as: TimestampMetadata.self, role: .timestamp)
    if let old = timestamp {
      try Self.checkRollback("timestamp", from: old.version, to: next.version)
      guard next.version > old.version else {
        try checkFrozen(old)
        return false
      }
      try Self.checkRollback("snapshot", from: old.body.snapshot.version, to: next.body.snapshot.version)
    }
    try checkFrozen(next)
    timestamp = next
    return true
  }

  private func checkFrozen(_ file: SignedMetadata<TimestampMetadata>) throws(TrustError) {
    guard file.body.header.expires > start else {
      throw TrustError(.timestampFrozen, ["expires": MetadataTime.text(file.body.header.expires)])
    }
  }

  // MARK: - Snapshot (5.5)

  /// Takes a snapshot that an earlier update trusted.
  ///
  /// - Returns: Whether it is the one that the timestamp names, and no other is needed.
  package mutating func keep(snapshot bytes: [UInt8]) throws(TrustError) -> Bool {
    let file = try verified(bytes, as: SnapshotMetadata.self, role: .snapshot)
    snapshot = file
    guard let named = timestamp?.body.snapshot else { return false }
    return named.version == file.version && named.describes(bytes) && file.body.header.expires > start
  }

  /// Takes a snapshot that just came.
  ///
  /// - Throws: `TrustError` `metadata-digest-mismatch`, `metadata-below-threshold`, `metadata-mix-and-match` where its
  ///   version is not the one of the timestamp, `metadata-rollback`, `metadata-role-removed`, `metadata-expired`.
  package mutating func update(snapshot bytes: [UInt8]) throws(TrustError) {
    guard let named = timestamp?.body.snapshot else { throw TrustError(.metadataMissing, ["name": "timestamp"]) }
    guard named.describes(bytes) else { throw TrustError(.metadataDigestMismatch, ["role": "snapshot"]) }
    let next = try verified(bytes, as: SnapshotMetadata.self, role: .snapshot)
    try Self.checkVersion("snapshot", next.version, named.version)
    if let old = snapshot {
      try Self.checkRollback("snapshot", from: old.version, to: next.version)
      for (name, file) in old.body.meta {
        guard let now = next.body.meta[name] else { throw TrustError(.metadataRoleRemoved, ["name": name]) }
        try Self.checkRollback(name, from: file.version, to: now.version)
      }
    }
    try check(next, "snapshot")
    snapshot = next
    listed = [:]
  }

  // MARK: - What all have in common

  static func read<Body>(_ bytes: [UInt8], as: Body.Type) throws(TrustError) -> SignedMetadata<Body> {
    try bytes.withUnsafeBufferPointer { bytes throws(TrustError) in
      try SignedMetadata<Body>(reading: UnsafeRawBufferPointer(bytes))
    }
  }

  private func verified<Body>(
    _ bytes: [UInt8], as body: Body.Type, role: TopRole
  ) throws(TrustError) -> SignedMetadata<Body> {
    let file = try Self.read(bytes, as: body)
    try file.verify(by: root.body.keys(of: role), keys: root.body.keys.known, name: role.rawValue)
    return file
  }

  func check<Body>(_ file: SignedMetadata<Body>, _ role: String) throws(TrustError) {
    guard file.body.header.expires > start else {
      throw TrustError(.metadataExpired, ["role": role, "expires": MetadataTime.text(file.body.header.expires)])
    }
  }

  static func checkVersion(_ role: String, _ found: Int, _ expected: Int) throws(TrustError) {
    guard found == expected else {
      throw TrustError(
        .metadataMixAndMatch, ["role": role, "found": String(found), "expected": String(expected)])
    }
  }

  private static func checkRollback(_ role: String, from trusted: Int, to found: Int) throws(TrustError) {
    guard found >= trusted else {
      throw TrustError(.metadataRollback, ["role": role, "found": String(found), "trusted": String(trusted)])
    }
  }
}

extension SignedMetadata {
  package var version: Int { body.header.version }
}

extension RootMetadata {
  /// Tells whether `next` no longer has a key of `role` that this root has, whatever identifiers keys have.
  fileprivate func loses(aKeyOf role: TopRole, in next: RootMetadata) -> Bool {
    let before = Set(keys(of: role).keyIDs.compactMap { keys.known[$0] })
    let after = Set(next.keys(of: role).keyIDs.compactMap { next.keys.known[$0] })
    return !before.isSubset(of: after)
  }
}

extension MetaFile {
  /// Tells whether the file has the length and the digests that are said of it; what is not said is not checked.
  func describes(_ bytes: [UInt8]) -> Bool {
    (length == nil || length == bytes.count) && (digests.isEmpty || digests.match(bytes))
  }
}
