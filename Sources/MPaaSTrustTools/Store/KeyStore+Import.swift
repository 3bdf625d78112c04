import MPaaSSupport
package import MPaaSTrust

extension KeyStore {
  /// Takes a key from a file: a private one as an own key, a public one as that of somebody else, who is trusted.
  ///
  /// - Parameters:
  ///   - opening: Gives the passphrase of the file, where it has one, and tells of a file that others may read.
  ///   - protection: The passphrase that an own key has from now on.
  /// - Throws: `TrustError` `key-exists`, `key-name`, `key-published`, and of the file; what `use` and the passphrases
  ///   throw.
  package func bring(
    _ file: String, as name: String, for use: KeyUse, opening: PassphraseSource, _ protection: KeyProtection
  ) throws -> (record: KeyRecord, isTrusted: Bool) {
    let (bytes, isOpenToOthers) = try PrivateFile.readAnyway(file)
    let source = try KeyFile(bytes, name: file)
    guard source.isPrivate else {
      let record = try source.record(named: name, roles: use.roles, expires: use.expires, at: now())
      try trust(record)
      return (record, true)
    }
    if isOpenToOthers { opening.warn(Diagnostic("key-file-open", ["path": file], exit: .notPermitted)) }
    try checkFree(name)
    let expires = try use.expires()
    let secret = source.isEncrypted ? try opening.existing(for: file) : nil
    let (key, number) = try source.openNumbered(with: secret, name: file)
    let fresh = try protection.secret(for: name, at: secret == nil ? 0 : 1)
    let record = try add(key, name, roles: use.roles, expires: expires, number: number, passphrase: fresh)
    return (record, false)
  }

  /// Trusts keys of others; all are read and checked before any is trusted.
  ///
  /// - Parameters:
  ///   - words: Files, or keys that are short enough to be typed.
  ///   - name: The name of the only key; nil for that of its file without the ending.
  ///   - fingerprint: The fingerprint that each key must have.
  ///   - statements: Files of signed hand-overs from keys that are trusted.
  /// - Returns: The records of the keys, and of the successors behind them.
  /// - Throws: `TrustError` of a key or a statement; `FileError`; what `use` throws.
  package func trust(
    _ words: [String], as name: String?, fingerprint: String?, for use: KeyUse, handOvers statements: [String]
  ) throws -> [KeyRecord] {
    let records = try words.map { word in
      let record = try KeyFile(foreign: word).record(
        named: name ?? Self.stem(of: word), roles: use.roles, expires: use.expires, at: now())
      if let fingerprint { try record.publicKey.fingerprint.require(fingerprint) }
      return record
    }
    let handOvers = try statements.map { path in
      let bytes = try Bytes.reading(path, limit: PrivateFile.limit)
      return try withExtendedLifetime(bytes) { try KeyHandOver(reading: bytes.buffer) }
    }
    for record in records { try trust(record) }
    return try records + handOvers.map { handOver throws(TrustError) in try trust(handOver) }
  }

  /// The name of a file without its last ending.
  private static func stem(of path: String) -> String {
    let file = FileSystem.name(of: path)
    return file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
  }
}
