package import MPaaSTrust

extension KeyStore {
  /// The own keys with whether a passphrase opens them, nil where that cannot be told, and the keys of others.
  package typealias Listing = (own: [(record: KeyRecord, isEncrypted: Bool?)], trusted: [KeyRecord])

  /// All keys of the store.
  ///
  /// - Parameter damaged: Is told of a record that cannot be read: one does not hide the others.
  /// - Throws: `TrustError` of the folders.
  package func listing(damaged: (TrustError) -> Void) throws(TrustError) -> Listing {
    func intact(_ record: () throws(TrustError) -> KeyRecord) -> KeyRecord? {
      do throws(TrustError) {
        return try record()
      } catch {
        damaged(error)
        return nil
      }
    }
    let own = try names().compactMap { name in
      intact { () throws(TrustError) in try record(name) }.map { record in
        (record: record, isEncrypted: try? sealedKey(name).isEncrypted)
      }
    }
    let trusted = try trustedNames().compactMap { name in
      intact { () throws(TrustError) in try trustedRecord(name) }
    }
    return (own, trusted)
  }
}
