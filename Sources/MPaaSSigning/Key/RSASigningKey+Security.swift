#if canImport(Security)
  import MPaaSVerification
  import Security

  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  /// A private key of RSA that signs SHA-256 of a message (RFC 8017).
  struct RSASigningKey: Sendable {
    let sizeInBits: Int
    /// The public half, as a SubjectPublicKeyInfo in DER.
    let subjectPublicKeyInfo: Data
    /// An RSAPrivateKey (RFC 8017, A.1.2), which is what Security takes.
    private let bare: Data

    /// Reads a PKCS #8 or PKCS #1 key.
    init?(_ block: PEMBlock) {
      let isBare = block.label == "RSA PRIVATE KEY"
      guard let bare = isBare ? block.der : RSAKeyInfo.barePrivateKey(in: block.der), let key = Self.key(bare),
        let half = SecKeyCopyPublicKey(key), let publicKey = SecKeyCopyExternalRepresentation(half, nil)
      else { return nil }
      self.bare = bare
      sizeInBits = SecKeyGetBlockSize(key) * 8
      subjectPublicKeyInfo = RSAKeyInfo.subjectPublicKeyInfo(of: publicKey as Data)
    }

    private static func key(_ bare: Data) -> SecKey? {
      let kind: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPrivate]
      return SecKeyCreateWithData(bare as CFData, kind as CFDictionary, nil)
    }

    func sign(_ message: [UInt8], padding: RSASignaturePadding) -> [UInt8]? {
      guard let key = Self.key(bare) else { return nil }
      let algorithm: SecKeyAlgorithm =
        padding == .pss ? .rsaSignatureMessagePSSSHA256 : .rsaSignatureMessagePKCS1v15SHA256
      return SecKeyCreateSignature(key, algorithm, Data(message) as CFData, nil).map { Array($0 as Data) }
    }
  }
#endif
