package import MPaaSTrust

/// The keys of this machine, as they sign repositories.
package struct RepositoryKeyring {
  package let store: KeyStore
  private let unlock: ([SealedKey]) throws -> [PrivateKey]

  /// - Parameter unlock: Opens keys, asking for the passphrases of those that have one.
  package init(_ store: KeyStore, unlock: @escaping ([SealedKey]) throws -> [PrivateKey]) {
    self.store = store
    self.unlock = unlock
  }

  /// The key that a word names.
  ///
  /// - Throws: `TrustError` as `RepositoryKey`.
  package func key(_ word: String) throws(TrustError) -> RepositoryKey { try RepositoryKey(word, of: store) }

  /// Opens the keys that are named, and those that the repository's settings name and this machine has.
  ///
  /// - Throws: `TrustError` of a key that is unknown or not good for a role that it has; what opening throws.
  package func signers(_ words: [String], for editor: RepositoryEditor) throws -> [SigningKey] {
    var draft = try editor.read()
    let named = try words.map { word throws(TrustError) in try key(word) }
    let online = draft.settings.onlineKeys.filter { !words.contains($0) }.compactMap { try? key($0) }
      // There is no question for the passphrase of a key that was not named, and what is no good any more is left out.
      .filter { $0.sealed?.isEncrypted == false && (try? $0.record?.check(for: nil, at: store.now())) != nil }
    return try open(named + online, holders: draft.keyHolders())
  }

  /// Opens those keys that have a private half.
  ///
  /// - Parameter holders: The roles of the repository with those who speak for them; each key has to be good for the
  ///   roles that it has.
  package func open(
    _ keys: [RepositoryKey], holders: [String: [RepositoryDraft.Delegation]] = [:]
  ) throws -> [SigningKey] {
    for key in keys {
      let roles = holders.filter { $0.value.contains { $0.keys.keyIDs.contains(key.publicKey.keyID) } }.keys
      for role in roles.sorted() { try key.check(for: role, at: store.now()) }
    }
    var signers = keys.compactMap(\.signingKey)
    for key in try unlock(keys.compactMap(\.sealed)) { signers.append(try key.signingKey()) }
    return signers
  }

  /// The identifier of a key by a name, a file, or the beginning of the identifier itself.
  ///
  /// - Throws: `TrustError` `key-unknown`, and as `RepositoryKey`.
  package func identifier(_ word: String, in editor: RepositoryEditor) throws(TrustError) -> String {
    if let key = try? key(word) { return key.publicKey.keyID }
    var draft = try editor.read()
    let known = Set(try draft.keyHolders().values.joined().flatMap(\.keys.keyIDs)).filter { $0.hasPrefix(word) }
    guard word.utf8.count >= 8, known.count == 1, let found = known.first else { return try key(word).publicKey.keyID }
    return found
  }
}

/// The names of keys that this machine knows, by their identifiers.
package struct KeyNames: Sendable {
  private var names: [String: String] = [:]

  package init(_ store: KeyStore) {
    let own = ((try? store.names()) ?? []).compactMap { try? store.record($0) }
    let others = ((try? store.trustedNames()) ?? []).compactMap { try? store.trustedRecord($0) }
    for record in others + own { names[record.publicKey.keyID] = record.name }
  }

  /// The name of a key; nil where this machine does not know it.
  package subscript(identifier: String) -> String? { names[identifier] }
}
