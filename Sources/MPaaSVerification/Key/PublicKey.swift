import MPaaSSupport

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The public half of any key that the store keeps.
package enum PublicKey: Sendable, Hashable {
  case signing(VerificationKey)
  /// The 32 bytes of an X25519 key (RFC 7748).
  case age(Data)

  package var kind: KeyKind {
    switch self {
    case .signing(let key): KeyKind(key.scheme)
    case .age: .age
    }
  }

  /// The fingerprint of the SubjectPublicKeyInfo, or of the 32 bytes of an age key.
  package var fingerprint: KeyFingerprint {
    switch self {
    case .signing(let key): KeyFingerprint(of: key.subjectPublicKeyInfo)
    case .age(let bytes): KeyFingerprint(of: bytes)
    }
  }

  /// The key's name in repositories; of an age key, which none lists, the fingerprint in hex.
  package var keyID: String {
    switch self {
    case .signing(let key): key.keyID
    case .age: fingerprint.hexadecimal
    }
  }

  /// The key that checks signatures.
  ///
  /// - Throws: `TrustError` `key-does-not-sign`.
  package func verificationKey() throws(TrustError) -> VerificationKey {
    guard case .signing(let key) = self else { throw TrustError(.keyDoesNotSign) }
    return key
  }
}

extension TrustError.Code {
  package static let keyDoesNotSign = refused("key-does-not-sign")
}
