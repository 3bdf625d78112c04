// On Linux an app without the trait Crypto has no cipher of ours.
#if canImport(CryptoKit) || canImport(Crypto)
  #if canImport(CryptoKit)
    import CryptoKit
  #else
    import Crypto
  #endif
  #if canImport(FoundationEssentials)
    import FoundationEssentials
  #else
    import Foundation
  #endif

  extension DAOCrypt {
    /// AES-256-GCM with a fresh nonce for each value; a value opens only as the property that it was kept as.
    ///
    /// - Parameter key: 32 secret bytes, of which the key of values is derived (HKDF-SHA256, `mpaas-dao v1`).
    public static func aes(key: [UInt8]) -> DAOCrypt {
      let derived = HKDF<SHA256>.deriveKey(
        inputKeyMaterial: SymmetricKey(data: key), info: Array("mpaas-dao v1".utf8), outputByteCount: 32)
      return DAOCrypt(
        encrypt: { bytes, className, property in
          let place = context(className, property)
          let box = try AES.GCM.seal(bytes, using: derived, authenticating: place)
          return Array(box.nonce) + box.ciphertext + box.tag
        },
        decrypt: { bytes, className, property in
          let box = try AES.GCM.SealedBox(combined: Data(bytes))
          return Array(try AES.GCM.open(box, using: derived, authenticating: context(className, property)))
        })
    }

    private static func context(_ className: String, _ property: String) -> [UInt8] {
      Array(className.utf8) + [0] + Array(property.utf8)
    }
  }
#endif
