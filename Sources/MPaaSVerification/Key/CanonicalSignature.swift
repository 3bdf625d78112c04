#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension SignatureScheme {
  /// Tells whether bytes have the outer form of the scheme's signatures, so that they were not made by another scheme.
  package func fits(_ signature: Data) -> Bool {
    switch self {
    case .ed25519: signature.count == 64
    // A sequence that is as long as it says, or says so in a longer way than it may.
    case .ecdsaP256:
      signature.starts(with: [0x30, UInt8(clamping: signature.count - 2)]) || signature.starts(with: [0x30, 0x81])
    case .rsaPSS: signature.count >= 256
    }
  }
}

extension VerificationKey {
  /// Tells whether `signature` is the one spelling of what it says.
  ///
  /// For Ed25519 (RFC 8032 section 5.1): S below the order of the group, and R and the key itself canonical points of
  /// no small order. For ECDSA: strict DER. RSA signatures have one spelling, which the library asks for: a number
  /// below the modulus in as many bytes as that has.
  package func isCanonical(_ signature: Data) -> Bool {
    switch scheme {
    case .ed25519:
      let bytes = Array(signature)
      return bytes.count == 64 && Ed25519Encoding.isPoint(Array(self.bytes))
        && Ed25519Encoding.isPoint(bytes.prefix(32))
        && Ed25519Encoding.isScalar(bytes.suffix(32))
    case .ecdsaP256:
      guard let parsed = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
      return parsed.derRepresentation == signature
    case .rsaPSS:
      return true
    }
  }
}
