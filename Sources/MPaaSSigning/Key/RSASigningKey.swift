// Apple's CryptoKit has no RSA, but Security does; elsewhere CryptoExtras has it.
#if !canImport(Security)
  import Crypto
  import CryptoExtras
  import MPaaSVerification

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// A private key of RSA that signs SHA-256 of a message (RFC 8017).
  struct RSASigningKey: Sendable {
    private let key: _RSA.Signing.PrivateKey

    /// Reads a PKCS #8 or PKCS #1 key.
    init?(_ block: PEMBlock) {
      guard let key = try? _RSA.Signing.PrivateKey(unsafePEMRepresentation: block.text) else { return nil }
      self.key = key
    }

    var sizeInBits: Int { key.keySizeInBits }

    /// The public half, as a SubjectPublicKeyInfo in DER.
    var subjectPublicKeyInfo: Data { key.publicKey.derRepresentation }

    func sign(_ message: [UInt8], padding: RSASignaturePadding) -> [UInt8]? {
      let digest = SHA256.hash(data: message)
      let signature = try? key.signature(for: digest, padding: padding == .pss ? .PSS : .insecurePKCS1v1_5)
      return signature.map { Array($0.rawRepresentation) }
    }
  }
#endif
