import MPaaSSupport
package import MPaaSToolSupport
package import MPaaSTrust

/// A key as it is written for another program.
package struct KeyExport: Sendable, Equatable {
  /// nil for the usual one of its kind.
  package var format: KeyFormat?
  /// True for the private half.
  package var isPrivate = false
  /// True for a private half that no passphrase protects.
  package var isOpen = false

  package init(format: KeyFormat? = nil, isPrivate: Bool = false, isOpen: Bool = false) {
    self.format = format
    self.isPrivate = isPrivate
    self.isOpen = isOpen
  }
}

extension KeyStore {
  /// Writes a key for another program to a file; a private half so that only its owner may read it.
  ///
  /// - Parameter isTrusted: Takes the key of somebody else where there are two of that name.
  /// - Returns: The format, and the text, which is nil where it went to a file.
  /// - Throws: As `privateText` and `KeyRecord.text`; `FileError`.
  package func export(
    _ name: String, isTrusted: Bool, as wish: KeyExport, to place: ResultPlace, passphrases: PassphraseSource
  ) throws -> (format: KeyFormat, text: String?) {
    let (record, _) = try anyRecord(name, isTrusted: isTrusted)
    let format = wish.format ?? (record.publicKey.kind == .age ? .age : .pem)
    guard wish.isPrivate else {
      let text = try record.text(format)
      return (format, try place.write { text.utf8 } == nil ? text : nil)
    }
    let text = try privateText(of: name, format, unencrypted: wish.isOpen) {
      try passphrases.open([$0])
    } passphrase: { sealed in
      try passphrases.fresh(for: place.file ?? name, at: sealed.isEncrypted ? 1 : 0)
    }
    guard let file = place.file else { return (format, text) }
    try PrivateFile.write(text.utf8, to: file)
    return (format, nil)
  }

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
