import MPaaSSupport
package import MPaaSTrust

extension KeyStore {
  /// The public key that `word` means: a trusted or an own key of that name, a file, or a key that is short enough to be
  /// typed (`age1…`, minisign's `RW…`).
  ///
  /// - Throws: `TrustError` `key-unknown`, `key-published`, and what reading a key throws. Roles and dates, the caller
  ///   checks.
  package func publicRecord(_ word: String) throws(TrustError) -> KeyRecord {
    if KeyRecord.isName(word) {
      if FileStatus(ofLink: trustedPath(word)) != nil { return try trustedRecord(word) }
      if FileStatus(ofLink: recordPath(word)) != nil { return try record(word) }
    }
    let isKey = word.hasPrefix("age1") || (word.hasPrefix("RW") && word.utf8.count == 56)
    guard isKey || FileStatus(word) != nil else { throw try unknown(word, among: names() + trustedNames()) }
    let bytes = isKey ? SecretBytes(copying: word) : try PrivateFile.readAnyway(word).bytes
    let record = try KeyFile(bytes, name: word).record(named: word, at: now())
    try PublishedKeys.refuse(record.publicKey)
    return record
  }

  /// The key that `word` means where signatures are checked: that in the file at the path, else the own or the trusted
  /// key of that name.
  ///
  /// - Returns: The key, and what is known of it; nil for a file.
  /// - Throws: `TrustError` `key-unknown`, `key-does-not-sign`, and what reading a key throws.
  package func verifier(_ word: String) throws(TrustError) -> (key: VerificationKey, record: KeyRecord?) {
    guard FileStatus(word) == nil else { return (try VerificationKey.reading(word), nil) }
    let record = try anyRecord(word).record
    return (try record.publicKey.verificationKey(), record)
  }

  /// The recipient that `word` names: `age1…`, the first line of a file that is no comment, or an age key of the store.
  ///
  /// - Throws: `TrustError` `key-unknown`, and what reading a recipient throws.
  package func recipient(_ word: String) throws(TrustError) -> AgeRecipient {
    if word.hasPrefix("age1") { return try AgeRecipient(word) }
    guard FileStatus(word) != nil else { return try anyRecord(word).record.publicKey.recipient() }
    let bytes: Bytes
    do throws(FileError) { bytes = try Bytes.reading(word, limit: 1 << 16) } catch { throw TrustError(error) }
    let lines = String(decoding: bytes.array, as: UTF8.self).split(whereSeparator: \.isNewline)
    return try AgeRecipient(String(lines.first { !$0.hasPrefix("#") } ?? ""))
  }

  /// The identities that `word` names: `AGE-SECRET-KEY-1…`, those in a file of such lines, or an age key of the store.
  ///
  /// - Parameter open: Opens a key of the store.
  /// - Throws: `TrustError` `age-key-malformed`, `key-unknown`, what reading a key throws; what `open` throws.
  package func identities(_ word: String, open: (SealedKey) throws -> [PrivateKey]) throws -> [AgeIdentity] {
    if word.hasPrefix("AGE-SECRET-KEY-1") { return [try AgeIdentity(word)] }
    if FileStatus(word) != nil {
      let text = String(decoding: try Bytes.reading(word, limit: 1 << 20).array, as: UTF8.self)
      if text.has("AGE-SECRET-KEY-1") { return try AgeIdentity.list(reading: text) }
    }
    return try open(try sealedKey(word)).map { key in
      guard case .age(let key) = key else {
        throw TrustError(.ageKeyMalformed, ["kind": "AGE-SECRET-KEY-1…"], at: .file(word))
      }
      return AgeIdentity(.x25519(key))
    }
  }
}
