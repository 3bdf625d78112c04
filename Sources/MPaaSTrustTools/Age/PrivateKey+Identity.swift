package import MPaaSTrust

extension PrivateKey {
  /// The identity that opens files that were encrypted to the key.
  ///
  /// - Throws: `TrustError` `key-does-not-decrypt`.
  package func identity() throws(TrustError) -> AgeIdentity {
    guard case .age(let key) = self else { throw TrustError(.keyDoesNotDecrypt) }
    return AgeIdentity(.x25519(key))
  }
}
