import Crypto
import CryptoExtras

/// AES in the mode CFB with 128 bits (NIST SP 800-38A, section 6.3), which authenticates nothing.
struct MMKVCipher {
  private let key: [UInt8]
  private let vector: [UInt8]

  /// The ciphers that a key may mean.
  ///
  /// Keys are cut or filled up with zeros to 16 bytes; newer files may have them of 32.
  ///
  /// - Parameter vector: The initialization vector; nil in old files, which begin with the key.
  static func candidates(_ key: [UInt8], vector: [UInt8]?) -> [MMKVCipher] {
    let sizes = key.count > 16 ? [32, 16] : [16, 32]
    return sizes.map { size in
      let filled = Array((key + [UInt8](repeating: 0, count: size)).prefix(size))
      return MMKVCipher(key: filled, vector: vector ?? Array(filled.prefix(16)))
    }
  }

  /// The content in plain; nil where the library of ciphers fails.
  func decrypt(_ content: ArraySlice<UInt8>) -> [UInt8]? {
    guard !content.isEmpty else { return [] }
    guard let iv = try? AES._CFB.IV(ivBytes: vector),
      let plain = try? AES._CFB.decrypt(Array(content), using: SymmetricKey(data: key), iv: iv)
    else { return nil }
    return Array(plain)
  }
}
