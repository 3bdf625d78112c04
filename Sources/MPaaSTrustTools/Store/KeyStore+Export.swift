package import MPaaSTrust

extension KeyStore {
  /// An own key's private half as another program reads it.
  ///
  /// - Parameters:
  ///   - isOpen: True for a text that no passphrase protects.
  ///   - open: Opens the key, once it is known that the format takes it so.
  ///   - passphrase: Gives the passphrase of the text; it is told the key, which may have one itself.
  /// - Throws: `TrustError` `signify-no-passphrase`, `key-unknown`, and as `PrivateKey.text`; what `open` and `passphrase`
  ///   throw.
  package func privateText(
    of name: String, _ format: KeyFormat, unencrypted isOpen: Bool, open: (SealedKey) throws -> [PrivateKey],
    passphrase: (SealedKey) throws -> SecretBytes
  ) throws -> String {
    guard format != .signify || isOpen else { throw TrustError(.signifyNoPassphrase) }
    let sealed = try sealedKey(name)
    let keys = try open(sealed)
    let secret = isOpen ? nil : try passphrase(sealed)
    guard let key = keys.first else { throw TrustError(.keyUnknown, ["name": name]) }
    return try key.text(format, passphrase: secret, number: sealed.record?.minisignNumber)
  }
}
