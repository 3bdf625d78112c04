import Crypto
import MPaaSSupport
package import MPaaSTrust
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What opens encrypted logs: the identities of a team, and the keys that they have unwrapped so far.
package final class LogKeys: Sendable {
  package let identities: [AgeIdentity]
  private let unwrapped = Mutex<[[UInt8]: LogSecret]>([:])

  /// - Parameter identities: None, where nothing is encrypted.
  package init(_ identities: [AgeIdentity] = []) {
    self.identities = identities
  }

  /// The secret that was wrapped; nil where it is for somebody else.
  func secret(_ wrapped: [UInt8]) -> LogSecret? {
    if let known = unwrapped.withLock({ $0[wrapped] }) { return known }
    let plain = wrapped.withUnsafeBytes { try? Age.decrypt($0, with: identities, limit: LogSecret.size) }
    guard let plain, plain.count == LogSecret.size else { return nil }
    let secret = LogSecret(plain)
    unwrapped.withLock { $0[wrapped] = secret }
    return secret
  }
}

/// The secret of a part or of a staging area, and the keys that are made of it.
struct LogSecret: Sendable {
  static let size = 32
  /// For AES-256-GCM over chunks.
  let chunkKey: SymmetricKey
  /// For AES-256-CTR over staged records.
  let stagingKey: SymmetricKey
  let tagBits: LogTagBits

  init(_ bytes: [UInt8]) {
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

  /// The nonce of a chunk: its number, which a part never has twice.
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
  func open(_ stored: UnsafeRawBufferPointer, _ chunk: LogChunk) -> Data? {
    guard stored.count >= LogChunk.tagSize, let nonce = try? AES.GCM.Nonce(data: Self.nonce(chunk.number)),
      let box = try? AES.GCM.SealedBox(
        nonce: nonce, ciphertext: stored.dropLast(LogChunk.tagSize), tag: stored.suffix(LogChunk.tagSize))
    else { return nil }
    return try? AES.GCM.open(box, using: chunkKey, authenticating: chunk.authenticated)
  }
}
