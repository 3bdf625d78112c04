// Apple's CryptoKit has no RSA, but Security does; elsewhere CryptoExtras has it.
#if !canImport(Security)
  import Crypto
  import CryptoExtras

  #if canImport(FoundationEssentials)
    package import FoundationEssentials
  #else
    package import Foundation
  #endif

  /// A public key of RSA: signatures are RSASSA-PSS with SHA-256 and a salt as long as the digest (RFC 8017).
  package struct RSAVerificationKey {
    private let key: _RSA.Signing.PublicKey

    /// Reads a SubjectPublicKeyInfo or an RSAPublicKey in PEM.
    package init?(pem: String) {
      guard let key = try? _RSA.Signing.PublicKey(unsafePEMRepresentation: pem) else { return nil }
      self.key = key
    }

    package init?(subjectPublicKeyInfo der: Data) {
      guard let key = try? _RSA.Signing.PublicKey(unsafeDERRepresentation: der) else { return nil }
      self.key = key
    }

    package var sizeInBits: Int { key.keySizeInBits }

    package var subjectPublicKeyInfo: Data { key.derRepresentation }

    package func verifies(_ signature: Data, of message: some DataProtocol) -> Bool {
      key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message), padding: .PSS)
    }
  }
#endif
