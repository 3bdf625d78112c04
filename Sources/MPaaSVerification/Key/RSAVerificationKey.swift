// Apple's CryptoKit has no RSA, but Security does; elsewhere CryptoExtras has it.
#if !canImport(Security)
  import Crypto
  import CryptoExtras

  #if canImport(FoundationEssentials)
    package import FoundationEssentials
  #else
    package import Foundation
  #endif

  /// A public key of RSA, whose signatures are over SHA-256 (RFC 8017).
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

    package func verifies(
      _ signature: Data, of message: some DataProtocol, padding: RSASignaturePadding = .pss
    ) -> Bool {
      key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: message),
        padding: padding == .pss ? .PSS : .insecurePKCS1v1_5)
    }
  }
#endif
