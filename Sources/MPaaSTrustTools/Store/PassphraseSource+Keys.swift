package import MPaaSTrust

extension PassphraseSource {
  /// Opens keys, asking for the passphrases of those that have one.
  ///
  /// - Throws: As `existing` and `SealedKey.open`.
  package func open(_ keys: [SealedKey]) throws -> [PrivateKey] {
    var count = 0
    return try keys.map { key in
      let passphrase = key.isEncrypted ? try existing(for: key.name, at: count) : nil
      count += key.isEncrypted ? 1 : 0
      return try key.open(with: passphrase)
    }
  }
}

extension KeyStore {
  /// Opens keys to sign for `role`; all are looked at before a passphrase is asked for.
  ///
  /// - Parameter words: Names of the store's keys, or paths of files that hold a private key.
  /// - Throws: `TrustError` of a key that is unknown or not good for the role; as `PassphraseSource.open`.
  package func signingKeys(
    _ words: [String], for role: KeyRole, passphrases: PassphraseSource
  ) throws -> [SigningKey] {
    let sealed = try words.map { word throws(TrustError) in try sealedKey(word) }
    for key in sealed { try key.check(for: role, at: now()) }
    return try passphrases.open(sealed).map { key throws(TrustError) in try key.signingKey() }
  }
}
