package import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Age {
  /// Decrypts bytes at hand into memory of its own, without a copy between.
  ///
  /// - Throws: `TrustError` as `decrypt` does.
  package static func decrypt(
    _ file: Bytes, with identities: [AgeIdentity], limit: Int
  ) throws(TrustError) -> Bytes {
    defer { withExtendedLifetime(file) {} }
    var decryption = try AgeDecryption(file.buffer, with: identities, limit: limit)
    // A plaintext is never longer than its file, nor than the limit.
    return try Bytes(capacity: min(file.count, max(limit, 0))) { target throws(TrustError) in
      var size = 0
      while let piece = try decryption.next() {
        piece.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: target[size...]))
        size += piece.count
      }
      return size
    }
  }
}
