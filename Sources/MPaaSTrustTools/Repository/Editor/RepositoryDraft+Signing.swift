package import MPaaSSupport
package import MPaaSTrust

/// Metadata that waits for signatures, or for others to get theirs.
package struct PendingRole: Sendable, Equatable, Encodable {
  /// The quorum: so many of these keys.
  package struct Quorum: Sendable, Equatable, Encodable {
    /// Key identifiers in hex.
    package let signed: [String]
    package let open: [String]
    package let threshold: Int

    package var missing: Int { max(0, threshold - signed.count) }
  }

  package let role: String
  package let version: Int
  /// One, or two where the keys change: the keys until now first.
  package let quorums: [Quorum]
  package let added: [String]
  package let changed: [String]
  package let removed: [String]

  package var isSigned: Bool { quorums.allSatisfy { $0.missing == 0 } }
}

extension RepositoryDraft {
  /// Signs what is staged with those of `keys` that have a say in it.
  ///
  /// - Parameter roles: Only these; nil for all.
  /// - Returns: The roles that got a signature.
  @discardableResult
  package mutating func sign(with keys: [SigningKey], roles: Set<String>? = nil) throws(TrustError) -> [String] {
    var signed: [String] = []
    let holders = try keyHolders()
    if var file = stagedRoot, roles?.contains("root") ?? true,
      try file.sign(with: keys, for: holders["root"] ?? [])
    {
      stagedRoot = file
      signed.append("root")
    }
    for role in staged.keys.sorted() where roles?.contains(role) ?? true {
      guard var file = staged[role], try file.sign(with: keys, for: holders[role] ?? []) else { continue }
      staged[role] = file
      signed.append(role)
    }
    return signed
  }

  /// Takes the signatures over that stand in another copy of a staged file, as somebody else sent it.
  ///
  /// - Throws: `TrustError` `staged-differs` where it says something else than the file here.
  package mutating func takeSignatures(from bytes: Bytes, role: String) throws(TrustError) {
    let holders = try keyHolders()[role] ?? []
    if role == "root" {
      guard var file = stagedRoot else { throw TrustError(.stagedDiffers, ["role": role]) }
      try file.takeSignatures(from: try SignedMetadata(reading: bytes.buffer), for: holders, role)
      stagedRoot = file
    } else {
      guard var file = staged[role] else { throw TrustError(.stagedDiffers, ["role": role]) }
      try file.takeSignatures(from: try SignedMetadata(reading: bytes.buffer), for: holders, role)
      staged[role] = file
    }
  }

  /// The staged roles, and who has not signed it yet.
  package mutating func pending() throws(TrustError) -> [PendingRole] {
    var pending: [PendingRole] = []
    let holders = try keyHolders()
    if let file = stagedRoot {
      let quorums = (holders["root"] ?? []).map { $0.quorum(of: file) }
      pending.append(
        PendingRole(
          role: "root", version: file.body.header.version, quorums: quorums, added: [], changed: [], removed: []))
    }
    for role in staged.keys.sorted(by: Self.targetsFirst) {
      guard let file = staged[role] else { continue }
      let before = try publishedRole(role)?.body.targets ?? [:]
      let after = file.body.targets
      let quorums = (holders[role] ?? []).map { $0.quorum(of: file) }
      pending.append(
        PendingRole(
          role: role, version: file.body.header.version, quorums: quorums,
          added: after.keys.filter { before[$0] == nil }.sorted(),
          changed: after.keys.filter { before[$0] != nil && before[$0] != after[$0] }.sorted(),
          removed: before.keys.filter { after[$0] == nil }.sorted()))
    }
    return pending
  }

  private static func targetsFirst(_ left: String, _ right: String) -> Bool {
    left == "targets" ? right != "targets" : right != "targets" && left < right
  }
}

extension RepositoryDraft.Delegation {
  /// The identifier that a key has in this role; nil where it has none.
  func identifier(of key: VerificationKey) -> String? {
    keys.keyIDs.first { known[$0] == key }
  }

  func quorum<Body>(of file: SignedMetadata<Body>) -> PendingRole.Quorum {
    let valid = file.signers(of: keys, keys: known)
    let signed = keys.keyIDs.filter { known[$0].map(valid.contains) ?? false }
    return PendingRole.Quorum(
      signed: signed, open: keys.keyIDs.filter { !signed.contains($0) }, threshold: keys.threshold)
  }

  func accepts<Body>(_ file: SignedMetadata<Body>) -> Bool {
    (try? file.verify(by: keys, keys: known, name: name)) != nil
  }
}

extension SignedMetadata {
  /// Signs with those of `keys` that `holders` know and that did not sign yet; says whether there was one.
  mutating func sign(
    with keys: [SigningKey], for holders: [RepositoryDraft.Delegation]
  ) throws(TrustError) -> Bool {
    var isNew = false
    for key in keys {
      for identifier in Set(holders.compactMap { $0.identifier(of: key.verificationKey) }).sorted() {
        let isThere = signatures.contains {
          $0.keyID == identifier && key.verificationKey.verifies($0.value, of: canonical)
        }
        if isThere { continue }
        let signature = Signature(keyID: identifier, value: try key.sign(canonical))
        signatures.removeAll { $0.keyID == identifier }
        signatures.append(signature)
        isNew = true
      }
    }
    return isNew
  }

  mutating func takeSignatures(
    from other: SignedMetadata, for holders: [RepositoryDraft.Delegation], _ role: String
  ) throws(TrustError) {
    guard other.canonical == canonical else { throw TrustError(.stagedDiffers, ["role": role]) }
    for signature in other.signatures where !signatures.contains(where: { $0.keyID == signature.keyID }) {
      let isValid = holders.contains { holder in
        holder.keys.keyIDs.contains(signature.keyID)
          && holder.known[signature.keyID]?.verifies(signature.value, of: canonical) == true
      }
      if isValid { signatures.append(signature) }
    }
  }
}

extension TrustError.Code {
  package static let stagedDiffers = TrustError.Code("staged-differs", exit: .negative)
}
