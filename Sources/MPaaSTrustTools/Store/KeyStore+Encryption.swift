import MPaaSSupport
package import MPaaSTrust

extension KeyStore {
  /// Encrypts a file with age.
  ///
  /// - Parameters:
  ///   - words: The recipients' public keys, as `publicRecord` takes them.
  ///   - passphrase: Gives the passphrase that opens the file where no recipient is named.
  /// - Throws: `FileError`; `TrustError` of a key that is unknown, revoked, expired or no age key; what `passphrase`
  ///   throws.
  package func encrypt(
    _ file: String, to words: [String], armored: Bool, into output: String, passphrase: () throws -> SecretBytes
  ) throws {
    let recipients = try words.map { word throws(TrustError) in
      let record = try publicRecord(word)
      try record.check(for: nil, at: now())
      return try record.publicKey.recipient()
    }
    let plain = try Bytes.mapping(file)
    let secret = recipients.isEmpty ? try passphrase() : nil
    try Age.encrypt(plain, to: secret.map { [.passphrase($0.text)] } ?? recipients, armored: armored, into: output)
  }

  /// Decrypts an age file.
  ///
  /// - Parameters:
  ///   - word: The own key that opens it, or a file of one; nil where a passphrase does.
  ///   - open: Opens the key.
  ///   - passphrase: Gives the passphrase of the file.
  /// - Throws: `FileError`; `TrustError` `key-unknown`, `key-does-not-decrypt`, and as `Age.decrypt`; what `open` and
  ///   `passphrase` throw.
  package func decrypt(
    _ file: String, with word: String?, into output: String, open: (SealedKey) throws -> [PrivateKey],
    passphrase: () throws -> SecretBytes
  ) throws {
    let sealed = try Bytes.mapping(file)
    let identities =
      if let word {
        try open(try sealedKey(word)).map { key throws(TrustError) in try key.identity() }
      } else {
        [AgeIdentity.passphrase(try passphrase().text)]
      }
    try Age.decrypt(sealed, with: identities, into: output)
  }
}
