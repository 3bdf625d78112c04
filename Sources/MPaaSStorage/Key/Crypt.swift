#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// A pair of functions that encrypt and decrypt single values, whatever file they lie in.
public struct Crypt: Sendable {
  /// Encrypts the bytes of a value.
  public let encrypt: @Sendable ([UInt8]) throws -> [UInt8]
  /// Decrypts what `encrypt` made.
  public let decrypt: @Sendable ([UInt8]) throws -> [UInt8]

  /// Creates a pair that an app wrote itself.
  public init(
    encrypt: @escaping @Sendable ([UInt8]) throws -> [UInt8],
    decrypt: @escaping @Sendable ([UInt8]) throws -> [UInt8]
  ) {
    self.encrypt = encrypt
    self.decrypt = decrypt
  }

  /// Creates the pair of the suite: AES-256-GCM with a random nonce in front of each value.
  public init(_ key: StorageKey) {
    let key = key.derived("mpaas-value v1", salt: [])
    encrypt = { plain in
      guard let combined = try AES.GCM.seal(plain, using: key).combined else { throw StorageError(.cipherFailed) }
      return Array(combined)
    }
    decrypt = { Array(try AES.GCM.open(AES.GCM.SealedBox(combined: $0), using: key)) }
  }
}
