package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A private key before it is opened.
package struct SealedKey: Sendable {
  /// As it was asked for: a name, or a path.
  package let name: String
  /// nil for a file that the store knows nothing of.
  package let record: KeyRecord?
  let file: KeyFile

  /// Tells whether a passphrase is needed.
  package var isEncrypted: Bool { file.isEncrypted }

  /// Checks, before anybody types a passphrase, that the key may sign for `role` at `time`.
  ///
  /// - Throws: `TrustError` `key-does-not-sign`, `key-published`, `key-revoked`, `key-expired`, `key-not-for-role`.
  package func check(for role: KeyRole, at time: Date) throws(TrustError) {
    guard let record else { return }
    _ = try record.publicKey.verificationKey()
    try record.check(for: role, at: time)
  }

  /// Opens it.
  ///
  /// - Parameter passphrase: nil for a key that is not encrypted.
  /// - Throws: `TrustError` `passphrase-missing`, `passphrase-wrong`, `private-key-malformed`, `key-published`,
  ///   `key-record-mismatch` where the file holds another key than the record says.
  package func open(with passphrase: SecretBytes?) throws(TrustError) -> PrivateKey {
    let key = try file.open(with: passphrase, name: name)
    try PublishedKeys.refuse(key.publicKey)
    guard let record, key.publicKey != record.publicKey else { return key }
    throw TrustError(.keyRecordMismatch, ["name": name])
  }
}
