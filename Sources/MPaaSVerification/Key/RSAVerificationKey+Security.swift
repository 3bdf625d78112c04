#if canImport(Security)
  import Security

  #if canImport(FoundationEssentials)
    package import FoundationEssentials
  #else
    package import Foundation
  #endif

  /// A public key of RSA, whose signatures are over SHA-256 (RFC 8017).
  package struct RSAVerificationKey {
    package let sizeInBits: Int
    package let subjectPublicKeyInfo: Data
    /// An RSAPublicKey (RFC 8017, A.1.1), which is what Security takes.
    private let bare: Data

    /// Reads a SubjectPublicKeyInfo or an RSAPublicKey in PEM.
    package init?(pem: String) {
      guard let block = (try? PEMBlock.blocks(in: pem))?.first else { return nil }
      switch block.label {
      case "PUBLIC KEY": self.init(subjectPublicKeyInfo: block.der)
      case "RSA PUBLIC KEY": self.init(bare: block.der)
      default: return nil
      }
    }

    package init?(subjectPublicKeyInfo der: Data) {
      guard let bare = RSAKeyInfo.bareKey(in: der) else { return nil }
      self.init(bare: bare)
    }

    private init?(bare: Data) {
      guard let key = Self.key(bare) else { return nil }
      sizeInBits = SecKeyGetBlockSize(key) * 8
      subjectPublicKeyInfo = RSAKeyInfo.subjectPublicKeyInfo(of: bare)
      self.bare = bare
    }

    private static func key(_ bare: Data) -> SecKey? {
      let kind: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic]
      return SecKeyCreateWithData(bare as CFData, kind as CFDictionary, nil)
    }

    package func verifies(
      _ signature: Data, of message: some DataProtocol, padding: RSASignaturePadding = .pss
    ) -> Bool {
      guard let key = Self.key(bare) else { return false }
      let message = Data(message) as CFData
      let algorithm: SecKeyAlgorithm =
        padding == .pss ? .rsaSignatureMessagePSSSHA256 : .rsaSignatureMessagePKCS1v15SHA256
      return SecKeyVerifySignature(key, algorithm, message, signature as CFData, nil)
    }
  }
#endif
