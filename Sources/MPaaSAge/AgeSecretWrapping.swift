#if canImport(CryptoKit)
  package import CryptoKit
#else
  package import Crypto
#endif

/// A recipient of another kind than a key pair, such as whoever knows a passphrase; the only one of a file.
package protocol AgeSecretWrapping: Sendable {
  /// The file key, wrapped.
  func stanza(_ fileKey: SymmetricKey) throws(TrustError) -> AgeHeader.Stanza
}

/// The secret that opens what an `AgeSecretWrapping` wrapped.
package protocol AgeSecretUnwrapping: Sendable {
  /// The file key; nil where the secret is another one.
  func fileKey(of stanza: AgeHeader.Stanza) throws(TrustError) -> SymmetricKey?
}
