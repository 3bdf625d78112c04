import Crypto
import MPaaSSupport
package import MPaaSTrust

extension PublicKey {
  /// The recipient whom files are encrypted to so that this key opens them.
  ///
  /// - Throws: `TrustError` `key-does-not-decrypt`.
  package func recipient() throws(TrustError) -> AgeRecipient {
    guard case .age(let bytes) = self, let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes) else {
      throw TrustError(.keyDoesNotDecrypt)
    }
    return AgeRecipient(.x25519(key))
  }
}

extension TrustError.Code {
  package static let keyDoesNotDecrypt = refused("key-does-not-decrypt")
}
