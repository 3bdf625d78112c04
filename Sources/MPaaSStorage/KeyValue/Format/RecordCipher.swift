import CLibCrypto

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

/// AES-256-GCM over records of one file, with a key that is derived for it.
///
/// The authenticated data are the file's id and the record's offset: no record can be moved. Where there is BoringSSL,
/// the key is expanded once and not for each record; the bytes are those of CryptoKit and swift-crypto, which take
/// several times as long for a small record.
final class RecordCipher {
  static let nonceSize = 12, tagSize = 16
  static let overhead = nonceSize + tagSize

  private let key: SymmetricKey
  /// The expanded key; nil where the platform's library has to do.
  private let kept: OpaquePointer?
  private let nonce: UInt32
  /// The bytes of the file's id.
  private let id: (UInt64, UInt64)

  /// - Parameter keepsKey: Whether the expanded key is kept where that can be done.
  init(_ key: StorageKey, _ header: KeyValueHeader, keepsKey: Bool = true) {
    self.key = key.derived("mpaas-kv v1", salt: header.salt)
    kept = keepsKey ? self.key.withUnsafeBytes { $0.baseAddress.flatMap { mp_gcm_create($0) } } : nil
    nonce = header.nonce
    id = header.id.withUnsafeBytes { bytes in
      (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }

  deinit {
    if let kept { mp_gcm_destroy(kept) }
  }

  /// True where the expanded key is kept.
  var keepsKey: Bool { kept != nil }

  /// Bytes by which a wrong key is told from damage.
  static func check(_ key: StorageKey, _ header: KeyValueHeader) -> [UInt8] {
    key.derived("mpaas-kv check v1", salt: header.salt).withUnsafeBytes { Array($0.prefix(16)) }
  }

  @inline(__always)
  private func withAuthenticated<Result>(
    _ offset: UInt64, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let authenticated = (id.0, id.1, offset.littleEndian)
    return try withUnsafeBytes(of: authenticated, body)
  }

  /// Writes nonce, ciphertext and tag; false where the library fails.
  func seal(
    _ fields: borrowing RecordFields, _ size: Int, to target: UnsafeMutableRawPointer, at offset: UInt64
  ) -> Bool {
    target.storeBytes(of: nonce.littleEndian, as: UInt32.self)
    (target + 4).storeBytes(of: fields.sequence.littleEndian, as: UInt64.self)
    // The content stands where the ciphertext comes, and is taken from there.
    let content = target + Self.nonceSize
    RecordFormat.write(content: fields, to: content)
    if let kept {
      return withAuthenticated(offset) { authenticated in
        mp_gcm_seal(kept, target, authenticated.baseAddress, authenticated.count, content, size, content + size)
      }
    }
    let plain = UnsafeRawBufferPointer(start: content, count: size)
    let box = withAuthenticated(offset) { authenticated in
      (try? AES.GCM.Nonce(data: UnsafeRawBufferPointer(start: target, count: Self.nonceSize))).flatMap {
        try? AES.GCM.seal(plain, using: key, nonce: $0, authenticating: authenticated)
      }
    }
    guard let combined = box?.combined, combined.count == size + Self.overhead else { return false }
    combined.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      target.copyMemory(from: start, byteCount: bytes.count)
    }
    return true
  }

  /// Hands over the content of a record; nil where anything is not as it was.
  func open<Result>(
    _ body: UnsafeRawBufferPointer, at offset: UInt64, _ take: (UnsafeRawBufferPointer) -> Result?
  ) -> Result? {
    guard body.count > Self.overhead, let start = body.baseAddress else { return nil }
    if let kept {
      let count = body.count - Self.overhead, text = start + Self.nonceSize
      return withUnsafeTemporaryAllocation(byteCount: count, alignment: 8) { content in
        guard let target = content.baseAddress,
          withAuthenticated(
            offset,
            { authenticated in
              mp_gcm_open(
                kept, start, authenticated.baseAddress, authenticated.count, text, count, text + count, target)
            })
        else { return nil }
        return take(UnsafeRawBufferPointer(content))
      }
    }
    let combined = Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: body.count, deallocator: .none)
    guard let box = try? AES.GCM.SealedBox(combined: combined),
      let content = withAuthenticated(offset, { try? AES.GCM.open(box, using: key, authenticating: $0) })
    else { return nil }
    return content.withUnsafeBytes(take)
  }
}
