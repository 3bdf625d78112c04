import MPaaSSupport

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
}
