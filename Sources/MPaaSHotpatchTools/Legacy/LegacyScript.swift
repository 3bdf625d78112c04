import MPaaSArchive
import MPaaSDigests
import MPaaSHotpatch
package import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The old script: a zip of the encrypted Lua text and its MD5, encrypted again, with a SHA-1 signature behind it.
///
/// It is weak in every part: one key for all apps' users that ships in the app, no authentication inside, a fixed first
/// block, digests that collide. It is here because apps of old read nothing else.
///
/// Profile: AES-128-CBC with PKCS#7 and an IV of zeros; entries `md5.txt` (32 hex digits) and `script.enc`, stored;
/// RSA PKCS#1 v1.5 with SHA-1 over the encrypted zip.
package enum LegacyScript {
  /// Stands between the encrypted zip and the signature.
  package static let separator = Array("\n---mpaas-hotpatch-sig---\n".utf8)
  /// The scheme of signing, as people know it.
  package static let scheme = "rsa-pkcs1-sha1"
  static let digestName = "md5.txt"
  static let scriptName = "script.enc"

  /// Writes the script of a Lua text; the same text and keys give the same bytes.
  ///
  /// - Throws: `TrustError` `legacy-aes-key`, `key-rsa-too-small`, `signing-failed`.
  package static func encoded(
    _ script: [UInt8], aesKey: LegacyAESKey, rsaKey: LegacyPrivateKey
  ) throws(TrustError) -> [UInt8] {
    let digest = DigestAlgorithm.md5.digest(of: script).hexadecimal
    let archive = StoredZip.encoded([
      StoredZip.Entry(name: digestName, contents: Array(digest.utf8)),
      StoredZip.Entry(name: scriptName, contents: try aesKey.encrypt(script)),
    ])
    let encrypted = try aesKey.encrypt(archive)
    return encrypted + separator + (try rsaKey.sign(encrypted))
  }

  /// Tells whether the bytes end as an old script does: the separator stands near the end.
  package static func matches(_ bytes: Bytes) -> Bool {
    separatorOffset(bytes.buffer, within: 2 << 10) != nil
  }

  /// The offset of the last separator that no more than `reach` bytes follow.
  private static func separatorOffset(_ bytes: UnsafeRawBufferPointer, within reach: Int) -> Int? {
    var offset = bytes.count - separator.count
    guard offset >= 0 else { return nil }
    let least = max(0, offset - reach)
    while offset >= least {
      let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + separator.count])
      if separator.withUnsafeBytes({ part.isSame(as: $0) }) { return offset }
      offset -= 1
    }
    return nil
  }

  /// Checks the signature and opens the script; nothing is decrypted before the signature is checked.
  ///
  /// - Parameter isAllowed: Whether the user asked for the old scheme.
  /// - Returns: The Lua text.
  /// - Throws: `TrustError` `legacy-not-allowed`, `bundle-too-large`, `legacy-separator-missing`,
  ///   `legacy-signature-length`, `signature-invalid`, `legacy-padding`, `legacy-archive`, `legacy-digest-mismatch`.
  package static func open(
    _ bytes: Bytes, aesKey: LegacyAESKey, signedBy key: LegacyPublicKey, isAllowed: Bool, limit: Int = 16 << 20
  ) throws(TrustError) -> [UInt8] {
    let encrypted = try verified(bytes, signedBy: key, isAllowed: isAllowed, limit: limit)
    let archive = try aesKey.decrypt(encrypted, of: "zip")
    let entries: [StoredZip.Entry]
    do throws(ZipError) {
      entries = try StoredZip.entries(in: Bytes(archive))
    } catch {
      throw TrustError(.legacyArchive, ["reason": error.reason])
    }
    guard entries.map(\.name).sorted() == [digestName, scriptName],
      let digest = entries.first(where: { $0.name == digestName }),
      let script = entries.first(where: { $0.name == scriptName })
    else { throw TrustError(.legacyArchive, ["reason": "entries"]) }
    let text = try aesKey.decrypt(script.contents, of: scriptName)
    try check(digest.contents, of: text)
    return text
  }

  /// Checks the signature only.
  ///
  /// - Returns: The encrypted zip.
  /// - Throws: As `open`, up to `signature-invalid`.
  @discardableResult
  package static func verified(
    _ bytes: Bytes, signedBy key: LegacyPublicKey, isAllowed: Bool, limit: Int = 16 << 20
  ) throws(TrustError) -> [UInt8] {
    guard isAllowed else { throw TrustError(.legacyNotAllowed) }
    guard bytes.count <= limit else {
      throw TrustError(.bundleTooLarge, ["name": "v1", "size": String(bytes.count), "limit": String(limit)])
    }
    let end = try encryptedSize(bytes.buffer, signatureSize: key.signatureSize)
    let encrypted = [UInt8](bytes.buffer[..<end])
    guard key.verifies(bytes.buffer[(end + separator.count)...], of: encrypted) else {
      throw TrustError(.signatureInvalid, ["key": "RSA"])
    }
    return encrypted
  }

  /// Bytes before the separator; the signature's size tells where it must be, as its bytes may look like one.
  private static func encryptedSize(_ bytes: UnsafeRawBufferPointer, signatureSize: Int) throws(TrustError) -> Int {
    let expected = bytes.count - signatureSize - separator.count
    if expected >= 0 {
      let part = UnsafeRawBufferPointer(rebasing: bytes[expected..<expected + separator.count])
      if separator.withUnsafeBytes({ part.isSame(as: $0) }) { return expected }
    }
    guard let found = separatorOffset(bytes, within: .max) else { throw TrustError(.legacySeparatorMissing) }
    throw TrustError(
      .legacySignatureLength,
      ["size": String(bytes.count - found - separator.count), "expected": String(signatureSize)])
  }

  private static func check(_ stated: [UInt8], of text: [UInt8]) throws(TrustError) {
    // Files that a shell made end in a line break.
    let digits = String(decoding: stated.last == 0x0a ? stated.dropLast() : stated[...], as: UTF8.self)
    let digest = DigestAlgorithm.md5.digest(of: text).hexadecimal
    guard digits.utf8.count == 32, digits.lowercased() == digest else {
      throw TrustError(.legacyDigestMismatch, ["expected": digits.utf8.count == 32 ? digits : "?", "found": digest])
    }
  }
}

extension TrustError.Code {
  package static let legacyNotAllowed = refused("legacy-not-allowed")
  package static let legacySeparatorMissing = malformed("legacy-separator-missing")
  package static let legacySignatureLength = malformed("legacy-signature-length")
  package static let legacyDigestMismatch = refused("legacy-digest-mismatch")
  package static let legacyPadding = malformed("legacy-padding")
  package static let legacyArchive = malformed("legacy-archive")
  package static let legacyAESKey = malformed("legacy-aes-key")
}
