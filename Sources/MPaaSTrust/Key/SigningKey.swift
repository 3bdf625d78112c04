package import Crypto
package import CryptoExtras
import MPaaSSupport

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A private key that signatures are made with.
public struct SigningKey: Sendable {
  package enum Material: Sendable {
    case ed25519(Curve25519.Signing.PrivateKey)
    case p256(P256.Signing.PrivateKey)
    case rsa(_RSA.Signing.PrivateKey)
  }

  package let material: Material
  /// The public key that checks this key's signatures.
  public let verificationKey: VerificationKey

  package init(_ material: Material) throws(TrustError) {
    self.material = material
    switch material {
    case .ed25519(let key): verificationKey = try VerificationKey(ed25519: key.publicKey.rawRepresentation)
    case .p256(let key): verificationKey = VerificationKey(p256: key.publicKey)
    case .rsa(let key):
      guard let key = RSAVerificationKey(subjectPublicKeyInfo: key.publicKey.derRepresentation) else {
        throw TrustError(.keyMalformed, ["kind": "RSA"])
      }
      verificationKey = try VerificationKey(rsa: key)
    }
  }

  /// Makes a new key; RSA keys have 3072 bits.
  ///
  /// - Throws: `TrustError` `key-generation-failed`.
  public static func generate(_ scheme: SignatureScheme = .ed25519) throws(TrustError) -> SigningKey {
    switch scheme {
    case .ed25519: return try SigningKey(.ed25519(Curve25519.Signing.PrivateKey()))
    case .ecdsaP256: return try SigningKey(.p256(P256.Signing.PrivateKey()))
    case .rsaPSS:
      guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits3072) else { throw TrustError(.keyGenerationFailed) }
      return try SigningKey(.rsa(key))
    }
  }

  /// Signs `message`: 64 bytes of Ed25519, DER of ECDSA, or as many bytes as the RSA modulus has.
  ///
  /// - Throws: `TrustError` `signing-failed`.
  public func sign(_ message: some DataProtocol) throws(TrustError) -> Data {
    do {
      switch material {
      case .ed25519(let key): return try key.signature(for: message)
      case .p256(let key): return try key.signature(for: message).derRepresentation
      case .rsa(let key):
        return try key.signature(for: SHA256.hash(data: message), padding: .PSS).rawRepresentation
      }
    } catch {
      throw TrustError(.signingFailed)
    }
  }
}

extension TrustError.Code {
  package static let keyGenerationFailed = TrustError.Code("key-generation-failed", exit: .internalFault)
  package static let signingFailed = TrustError.Code("signing-failed", exit: .internalFault)
}
