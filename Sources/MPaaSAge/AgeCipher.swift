#if canImport(CryptoKit)
  package import CryptoKit
#else
  package import Crypto
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// ChaCha20-Poly1305 (RFC 8439) as age uses it, for file keys and for the chunks of a payload.
///
/// Source: age-encryption.org/v1, sections "Payload" and the recipient types.
package struct AgeCipher {
  static let chunkSize = 1 << 16
  static let tagSize = 16
  static let nonceSize = 16

  private let key: SymmetricKey
  /// The number of the next chunk.
  private(set) var counter: UInt64 = 0

  init(fileKey: SymmetricKey, nonce: [UInt8]) {
    key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: fileKey, salt: nonce, info: Array("payload".utf8), outputByteCount: 32)
  }

  /// 11 bytes of counter, the most significant first, and whether the chunk is the last one.
  private mutating func nextNonce(isLast: Bool) -> [UInt8] {
    defer { counter += 1 }
    var nonce: [UInt8] = [0, 0, 0]
    for shift in stride(from: UInt64(56), through: 0, by: -8) { nonce.append(UInt8(counter >> shift & 0xff)) }
    return nonce + [isLast ? 1 : 0]
  }

  /// Encrypts the next chunk, its tag behind it; nil where the library fails.
  mutating func seal(_ plaintext: UnsafeRawBufferPointer, isLast: Bool) -> Data? {
    let nonce = nextNonce(isLast: isLast)
    guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
      let box = try? ChaChaPoly.seal(plaintext, using: key, nonce: nonce)
    else { return nil }
    return box.combined.dropFirst(12)
  }

  /// Decrypts the next chunk with its tag; nil where it is not the one that belongs here.
  mutating func open(_ ciphertext: UnsafeRawBufferPointer, isLast: Bool) -> Data? {
    Self.open(ciphertext, nonce: nextNonce(isLast: isLast), key)
  }

  private static func open(_ ciphertext: UnsafeRawBufferPointer, nonce: [UInt8], _ key: SymmetricKey) -> Data? {
    var combined = Data(capacity: nonce.count + ciphertext.count)
    combined.append(contentsOf: nonce)
    ciphertext.withMemoryRebound(to: UInt8.self) { combined.append($0) }
    guard let box = try? ChaChaPoly.SealedBox(combined: combined) else { return nil }
    return try? ChaChaPoly.open(box, using: key)
  }

  /// The file key encrypted by a key that is used once, so that its nonce is zero.
  package static func wrap(_ fileKey: SymmetricKey, by key: SymmetricKey) -> [UInt8]? {
    guard let nonce = try? ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12)) else { return nil }
    return fileKey.withUnsafeBytes { bytes in
      (try? ChaChaPoly.seal(bytes, using: key, nonce: nonce)).map { Array($0.combined.dropFirst(12)) }
    }
  }

  /// The file key; nil where `key` is another one.
  ///
  /// The caller has checked that the body has 32 bytes.
  package static func unwrap(_ body: [UInt8], by key: SymmetricKey) -> SymmetricKey? {
    body.withUnsafeBytes { open($0, nonce: [UInt8](repeating: 0, count: 12), key) }.map { SymmetricKey(data: $0) }
  }
}
