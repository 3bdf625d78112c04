import MPaaSSupport
package import MPaaSTrust
package import MPaaSTrustTools

extension KeyRole {
  /// The role of keys that sign crash totals.
  package static let statistics = KeyRole(rawValue: "statistics")
}

extension CrashTotals {
  /// Reads the signed totals of a file.
  ///
  /// - Parameter words: Files of public keys or names of the store; where there is none, the keys of the store that were
  ///   named for the role `statistics` count.
  /// - Throws: `FileError`; `TrustError` of the keys, and of `init(signed:by:threshold:)` at the file.
  package init(signedFile path: String, byKeys words: [String], of store: KeyStore) throws {
    self = try Self.signed(try Self.read(path), at: path, byKeys: words, of: store)
  }

  /// Reads the totals of a file that change nothing: signed ones, whose signatures are checked, or unsigned ones.
  ///
  /// - Throws: As `init(signedFile:byKeys:of:)`.
  package init(shownFile path: String, byKeys words: [String], of store: KeyStore) throws {
    let bytes = try Self.read(path)
    guard (try? DSSEEnvelope(reading: bytes.buffer, limit: Self.largest * 2)) == nil else {
      self = try Self.signed(bytes, at: path, byKeys: words, of: store)
      return
    }
    self = try TrustError.at(path) { () throws(TrustError) in try CrashTotals(reading: bytes.buffer) }
  }

  /// Signs the totals of a file, and writes them with their signatures.
  ///
  /// - Parameter keys: Opens the keys that sign, once the file was read.
  /// - Returns: The identifiers of the keys that signed.
  /// - Throws: `FileError`; `TrustError` `crash-totals-malformed`; what `keys` throws.
  package static func sign(
    file path: String, into output: String, keys: () throws -> [SigningKey]
  ) throws -> [String] {
    let bytes = try Bytes.reading(path, limit: largest)
    let keys = try keys()
    let signed = try TrustError.at(path) { () throws(TrustError) in try Self.signed(bytes, with: keys) }
    try Bytes(signed).write(to: output)
    return keys.map(\.verificationKey.keyID)
  }

  private static func read(_ path: String) throws(FileError) -> Bytes { try Bytes.reading(path, limit: largest * 2) }

  private static func signed(
    _ bytes: Bytes, at path: String, byKeys words: [String], of store: KeyStore
  ) throws(TrustError) -> CrashTotals {
    let keys = try keys(words, of: store)
    return try TrustError.at(path) { () throws(TrustError) in try CrashTotals(signed: bytes.buffer, by: keys) }
  }

  private static func keys(_ words: [String], of store: KeyStore) throws(TrustError) -> [VerificationKey] {
    guard words.isEmpty else {
      return try words.map { word throws(TrustError) in try store.verifier(word).key }
    }
    guard let role = KeyRole.statistics else { return [] }
    // Keys without a role may sign anything; who counts crashes must have been named.
    let records = try store.ownKeys(for: role) + store.trustedKeys(for: role)
    return try records.filter { $0.roles.contains(role) }.map { record throws(TrustError) in
      try record.publicKey.verificationKey()
    }
  }
}
