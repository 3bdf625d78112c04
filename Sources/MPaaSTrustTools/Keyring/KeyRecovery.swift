package import MPaaSTrust

/// The way back after a key was lost or stolen: steps to be taken one after the other.
package struct KeyRecovery: Sendable, Equatable {
  /// A step to be taken; keys by their names in the store, or by the beginning of their identifiers.
  package enum Step: Sendable, Equatable {
    /// A new repository, since the roles of this one can no longer be changed.
    case newRoot
    /// Its root goes out with a new version of the apps.
    case shipRoot
    /// The thief can speak for the roles of the key.
    case stolen
    case lost
    /// A new key.
    case generate(name: String)
    /// It takes the place of the old one; all these sign.
    case rotate(added: String, signers: [String])
    /// Others may have to sign too.
    case sign
    /// New keys make clients forget how far versions were counted up (TUF section 5.3.11).
    case refresh(signer: String)
    /// All that is published is looked at.
    case review
    case revoke
    case publish
  }

  package let keyID: String
  package let isStolen: Bool
  package let roles: [String]
  /// True if the other keys of root are enough; without them readers need a new root from their makers.
  package let isPossible: Bool
  package let steps: [Step]

  /// Finds the way back.
  ///
  /// - Parameters:
  ///   - identifier: The key.
  ///   - word: The key's name in errors.
  ///   - names: The keys that have names.
  /// - Throws: `TrustError` `key-not-of-role` where it speaks for no role.
  package init(
    of identifier: String, word: String, isStolen: Bool, in draft: inout RepositoryDraft, names: KeyNames
  ) throws(TrustError) {
    keyID = identifier
    self.isStolen = isStolen
    let holders = try draft.keyHolders()
    let own = holders.filter { $0.value.last?.keys.keyIDs.contains(identifier) ?? false }
    guard !own.isEmpty else { throw TrustError(.keyNotOfRole, ["key": word, "role": "*"]) }
    roles = Self.roles(own)
    // Readers know the published root only: what is staged is no obstacle yet.
    let root = holders["root"]?.first
    let left = (root?.keys.keyIDs ?? []).filter { $0 != identifier }.count
    isPossible = left >= (root?.keys.threshold ?? 1)
    guard isPossible || !own.keys.contains("root") else {
      steps = [.newRoot, .shipRoot]
      return
    }
    // While a change of keys is staged, both who speaks for the role now and who will have to sign.
    func signers(_ role: String) -> [String] {
      (holders[role] ?? []).flatMap { holder in
        let others = holder.keys.keyIDs.filter { $0 != identifier }
        return others.prefix(holder.keys.threshold).map { names[$0] ?? String($0.prefix(16)) }
      }
    }
    let new = (names[identifier] ?? "key") + "-new"
    let delegated = roles.filter { TopRole(rawValue: $0) == nil }
    var keys = delegated.count < roles.count ? signers("root") : []
    for role in delegated { keys += signers(own[role]?.last?.parent ?? "targets") }
    for role in roles where role == "targets" || TopRole(rawValue: role) == nil { keys += signers(role) }
    var seen: Set<String> = []
    var steps: [Step] = [isStolen ? .stolen : .lost, .generate(name: new)]
    steps += [.rotate(added: new, signers: keys.filter { seen.insert($0).inserted }), .sign]
    if isStolen {
      if roles.contains(where: { ["snapshot", "timestamp"].contains($0) }) { steps.append(.refresh(signer: new)) }
      steps.append(.review)
      if names[identifier] != nil { steps.append(.revoke) }
    }
    self.steps = steps + [.publish]
  }

  /// The names of roles, sorted; one bin stands for all of them.
  private static func roles(_ own: [String: [RepositoryDraft.Delegation]]) -> [String] {
    let bins = Set(own.values.compactMap { $0.last.flatMap { $0.isBin ? $0 : nil } }.map(\.name)).sorted()
    return own.keys.filter { !bins.dropFirst().contains($0) }.sorted()
  }
}
