package import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Age {
  /// Encrypts a file; memory does not grow with its size.
  ///
  /// - Parameter mode: The permissions of the new file, before the umask.
  /// - Throws: `TrustError` as `encrypt` does, `FileError`; then there is no file, or still the old one.
  package static func encrypt(
    _ plaintext: Bytes, to recipients: [AgeRecipient], armored: Bool = false, into path: String, mode: UInt16 = 0o644
  ) throws {
    var encryption = try AgeEncryption(plaintext.buffer, to: recipients, armored: armored)
    let file = try PartialFile(beside: path)
    while let piece = try encryption.next() {
      try piece.withUnsafeBytes { try file.append($0) }
      plaintext.release(encryption.offset)
    }
    try file.finish(mode: mode)
  }

  /// Decrypts a file, which appears at `path` only when all of it was authenticated; memory does not grow with its
  /// size.
  ///
  /// - Parameters:
  ///   - file: A mapped file.
  ///   - limit: The most bytes that the plaintext may have.
  ///   - mode: The permissions of the new file, before the umask.
  /// - Throws: `TrustError` as `decrypt` does, `FileError`; then there is no file, or still the old one.
  package static func decrypt(
    _ file: Bytes, with identities: [AgeIdentity], limit: Int = .max, into path: String, mode: UInt16 = 0o600
  ) throws {
    var decryption = try AgeDecryption(file.buffer, with: identities, limit: limit)
    let plaintext = try PartialFile(beside: path)
    while let piece = try decryption.next() {
      try piece.withUnsafeBytes { try plaintext.append($0) }
      file.release(decryption.used)
    }
    try plaintext.finish(mode: mode)
  }
}
