import MPaaSSupport
package import MPaaSTrust

extension RepositoryKeyring {
  /// Gives roles other keys, which sign beside the keys that are named.
  ///
  /// - Parameters:
  ///   - words: The keys that sign, beside those of the repository's settings.
  ///   - added: Keys by their names or files; those without a passphrase that come to online roles are noted in the
  ///     settings, which commands use without being told.
  ///   - removed: Keys by their names, files, or the beginnings of their identifiers.
  ///   - threshold: nil leaves it as it is.
  /// - Throws: `TrustError` of keys that are not good for the roles, and as `RepositoryDraft.rotate`; what opening throws.
  package func rotate(
    _ roles: [String], adding added: [String], removing removed: [String], threshold: Int?,
    in editor: RepositoryEditor, signedBy words: [String]
  ) throws -> RepositoryEditor.Outcome {
    let new = try added.map { word throws(TrustError) in try key(word) }
    for key in new { for role in roles { try key.check(for: role, at: store.now()) } }
    let rotation = KeyRotation(
      adding: new.map(\.publicKey), removing: try removed.map { try identifier($0, in: editor) }, threshold: threshold)
    var signers = try signers(words, for: editor)
    signers += try open(new.filter { !words.contains($0.word) })
    return try editor.edit(keys: signers) { draft throws(TrustError) in
      for role in roles { try draft.rotate(role, rotation) }
      for key in new where key.sealed?.isEncrypted == false {
        let isOnline = roles.contains {
          ["snapshot", "timestamp"].contains($0) || draft.settings.onlineRoles.contains($0)
        }
        if isOnline, !draft.settings.onlineKeys.contains(key.word) { draft.settings.onlineKeys.append(key.word) }
      }
    }
  }

  /// The way back after a key was lost or stolen; nothing is changed.
  ///
  /// - Throws: `TrustError` `key-unknown`, `key-not-of-role`.
  package func recovery(
    of word: String, isStolen: Bool, in editor: RepositoryEditor
  ) throws(TrustError) -> KeyRecovery {
    var draft = try editor.read()
    return try KeyRecovery(
      of: try identifier(word, in: editor), word: word, isStolen: isStolen, in: &draft, names: KeyNames(store))
  }

  /// A part of a repository's names that is handed to others, or taken back.
  package enum Delegation: Sendable {
    case revoke
    /// A role of its own.
    case role(paths: [String], isTerminating: Bool, isOnline: Bool, parent: String)
    /// Bins, among which the names are divided by their digests.
    case bins(count: Int, prefix: String, isSuccinct: Bool)
  }

  /// Changes who speaks for a role that is delegated to; its keys sign beside those that are named.
  ///
  /// - Parameters:
  ///   - own: The keys of the role.
  ///   - words: The keys that sign, beside those of the repository's settings.
  /// - Throws: `TrustError` `registry-role-keys` where no key is named, of keys that are not good for the role, and as the
  ///   draft's changes; what opening throws.
  package func delegate(
    _ role: String, _ delegation: Delegation, keys own: [String], threshold: Int, in editor: RepositoryEditor,
    signedBy words: [String]
  ) throws -> RepositoryEditor.Outcome {
    let own = try own.map { word throws(TrustError) in try key(word) }
    for key in own { try key.check(for: role, at: store.now()) }
    if case .revoke = delegation {} else if own.isEmpty { throw TrustError(.registryRoleKeys, ["role": role]) }
    var signers = try signers(words, for: editor)
    signers += try open(own.filter { !words.contains($0.word) })
    let keys = own.map(\.publicKey)
    return try editor.edit(keys: signers) { draft throws(TrustError) in
      switch delegation {
      case .revoke: try draft.revoke(role)
      case .role(let paths, let isTerminating, let isOnline, let parent):
        let new = RepositoryDraft.NewRole(
          role, paths: paths, keys: keys, threshold: threshold, isTerminating: isTerminating, isOnline: isOnline)
        try draft.delegate(new, from: parent)
      case .bins(let count, let prefix, let isSuccinct):
        try draft.divide(role, into: count, prefix: prefix, keys: keys, threshold: threshold, isSuccinct: isSuccinct)
      }
    }
  }
}

extension TrustError.Code {
  static let registryRoleKeys = TrustError.Code("registry-role-keys", exit: .usage)
}
