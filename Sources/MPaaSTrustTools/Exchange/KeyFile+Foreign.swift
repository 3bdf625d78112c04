import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension KeyFile {
  /// The public key of another person: of a file, or a key that is short enough to be typed (`age1…`, minisign's `RW…`).
  ///
  /// - Throws: `TrustError` of the file, and what reading a key throws.
  package init(foreign word: String) throws(TrustError) {
    let isKey = word.hasPrefix("age1") || word.utf8.count == 56 && word.hasPrefix("RW")
    let bytes = isKey && FileStatus(word) == nil ? SecretBytes(copying: word) : try PrivateFile.readAnyway(word).bytes
    try self.init(bytes, name: word)
  }

  /// The record of the file's public key, with the user's own word on it.
  ///
  /// - Parameters:
  ///   - roles: Empty for those that the file names.
  ///   - expires: Gives the time that the user names; nil for that of the file.
  /// - Throws: `TrustError` as `record(named:at:)`; what `expires` throws.
  package func record(
    named name: String, roles: [KeyRole], expires: () throws -> Date?, at time: Date
  ) throws -> KeyRecord {
    let found = try record(named: name, at: time)
    var record = KeyRecord(
      name: name, publicKey: found.publicKey, roles: roles.isEmpty ? found.roles : roles, created: found.created,
      expires: try expires() ?? found.expires, rotatedFrom: found.rotatedFrom)
    record.revoked = found.revoked
    record.rotatedTo = found.rotatedTo
    record.number = found.number
    return record
  }
}

extension KeyFingerprint {
  /// Checks that the fingerprint is the one that was read out: its words, or its hexadecimal digits.
  ///
  /// - Throws: `TrustError` `key-fingerprint-differs`.
  package func require(_ text: String) throws(TrustError) {
    guard [words, hexadecimal].contains(text.lowercased()) else {
      throw TrustError(.keyFingerprintDiffers, ["found": words])
    }
  }
}

extension TrustError.Code {
  static let keyFingerprintDiffers = refused("key-fingerprint-differs")
}
