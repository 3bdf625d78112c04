import MPaaSAge
import MPaaSSupport

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The secret of a part or of a staging area, and the keys that are made of it.
package struct LogSecret: Sendable {
  package static let size = 32
  /// For AES-256-GCM over chunks.
  let chunkKey: SymmetricKey
  /// For AES-256-CTR over staged records.
  let stagingKey: SymmetricKey
  package let tagBits: LogTagBits

  package init(_ bytes: [UInt8]) {
    let secret = SymmetricKey(data: bytes)
    chunkKey = Self.derive(secret, "mplog chunk")
    stagingKey = Self.derive(secret, "mplog staging")
    let seed = Self.derive(secret, "mplog tags").withUnsafeBytes { $0.number(0, UInt32.self) }
    tagBits = LogTagBits(seed: seed)
  }

  private static func derive(_ secret: SymmetricKey, _ purpose: String) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(inputKeyMaterial: secret, info: Array(purpose.utf8), outputByteCount: 32)
  }

  /// A fresh secret, and what it looks like wrapped for `recipients`.
  static func fresh(for recipients: [AgeRecipient]) throws(TrustError) -> (secret: LogSecret, wrapped: [UInt8]) {
    var bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
    defer { SecretBytes.wipe(&bytes) }
    var failure: TrustError?
    let wrapped = bytes.withUnsafeBytes { plain -> [UInt8] in
      do throws(TrustError) { return try Age.encrypt(plain, to: recipients) } catch { failure = error }
      return []
    }
    if let failure { throw failure }
    return (LogSecret(bytes), wrapped)
  }

  /// The nonce of a chunk or of a segment: its number, which a part or a key never has twice.
  static func nonce(_ number: UInt64) -> [UInt8] {
    [0, 0, 0, 0] + withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  /// Encrypts the content of a chunk and hands over ciphertext and tag together; nil where the library fails.
  func seal(_ content: UnsafeRawBufferPointer, _ chunk: LogChunk) -> Data? {
    guard let nonce = try? AES.GCM.Nonce(data: Self.nonce(chunk.number)),
      let box = try? AES.GCM.seal(content, using: chunkKey, nonce: nonce, authenticating: chunk.authenticated)
    else { return nil }
    return box.combined.map { $0.dropFirst(12) }
  }

  /// Decrypts what `seal` made of the content; nil where anything is not as it was.
  package func open(_ stored: UnsafeRawBufferPointer, _ chunk: LogChunk) -> Data? {
    guard stored.count >= LogChunk.tagSize, let nonce = try? AES.GCM.Nonce(data: Self.nonce(chunk.number)),
      let box = try? AES.GCM.SealedBox(
        nonce: nonce, ciphertext: stored.dropLast(LogChunk.tagSize), tag: stored.suffix(LogChunk.tagSize))
    else { return nil }
    return try? AES.GCM.open(box, using: chunkKey, authenticating: chunk.authenticated)
  }
}

extension LogSecret {
  /// Bytes at the start of a keystream that nothing is encrypted with: a segment begins with the header of a record.
  private static let unusedKeystream = 32

  /// The AES-CTR keystream of a staging segment, zeros in place of its first 32 bytes; nil where the library fails.
  ///
  /// The key is made anew at each start of a writer, and a generation is filled once: no keystream is used twice. What
  /// AES-GCM (NIST SP 800-38D) makes of zeros is the keystream from its third block on, as the block before serves for
  /// the tag and counting begins behind it.
  package func keystream(_ generation: UInt64, size: Int) -> Data? {
    guard size > Self.unusedKeystream, let nonce = try? AES.GCM.Nonce(data: Self.nonce(generation)),
      let box = try? AES.GCM.seal(Data(count: size - Self.unusedKeystream), using: stagingKey, nonce: nonce)
    else { return nil }
    return Data(count: Self.unusedKeystream) + box.ciphertext
  }
}
