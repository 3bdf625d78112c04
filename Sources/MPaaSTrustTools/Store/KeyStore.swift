import MPaaSSupport
import MPaaSToolSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// The keys of one person or one machine: a folder with `NAME.key`, the private half, and `NAME.json`, what is known of
/// it; `trusted/NAME.json` are public keys of others.
///
/// A file of a private key is readable by its owner only and encrypted with a passphrase, unless the owner wanted
/// otherwise. Every change is one file renamed into place. A folder in which others could exchange keys is refused,
/// also for reading: what lies there would show as the user's own.
package struct KeyStore: Sendable {
  package let folder: String
  package var now: @Sendable () -> Date
  /// The binary logarithm of scrypt's N for passphrases: 18 takes about two seconds and 256 MiB.
  package var workFactor = 18

  package init(folder: String, now: @escaping @Sendable () -> Date = { Date() }) {
    self.folder = folder
    self.now = now
  }

  package var trustedFolder: String { folder + "/trusted" }
  func keyPath(_ name: String) -> String { "\(folder)/\(name).key" }
  func recordPath(_ name: String) -> String { "\(folder)/\(name).json" }
  func trustedPath(_ name: String) -> String { "\(trustedFolder)/\(name).json" }

  // MARK: Records

  /// The names of the own keys, sorted.
  package func names() throws(TrustError) -> [String] { try Self.names(in: folder) }
  /// The names of the public keys of others, sorted.
  package func trustedNames() throws(TrustError) -> [String] { try Self.names(in: trustedFolder) }

  private static func names(in folder: String) throws(TrustError) -> [String] {
    try checkOwn(folder)
    guard FileStatus(folder) != nil else { return [] }
    do throws(FileError) {
      return try FileSystem.names(in: folder).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
        .filter(KeyRecord.isName)
    } catch {
      throw TrustError(error)
    }
  }

  /// The record of the own key `name`.
  ///
  /// - Throws: `TrustError` `key-unknown`, `key-record-malformed`.
  package func record(_ name: String) throws(TrustError) -> KeyRecord {
    guard let record = try Self.record(at: recordPath(name), name) else { throw try unknown(name, among: names()) }
    return record
  }

  /// The trusted public key `name`.
  ///
  /// - Throws: `TrustError` `key-unknown`, `key-record-malformed`.
  package func trustedRecord(_ name: String) throws(TrustError) -> KeyRecord {
    guard let record = try Self.record(at: trustedPath(name), name) else {
      throw try unknown(name, among: trustedNames())
    }
    return record
  }

  /// The own key `name`, else the trusted one.
  ///
  /// - Parameter isTrusted: Whether only trusted keys are looked at.
  /// - Throws: `TrustError` `key-unknown`, `key-record-malformed`.
  package func anyRecord(
    _ name: String, isTrusted: Bool = false
  ) throws(TrustError) -> (record: KeyRecord, isTrusted: Bool) {
    if !isTrusted, let own = try Self.record(at: recordPath(name), name) { return (own, false) }
    if let other = try Self.record(at: trustedPath(name), name) { return (other, true) }
    throw try unknown(name, among: names() + trustedNames())
  }

  /// Refuses a folder in which somebody else could exchange keys.
  ///
  /// - Throws: `TrustError` `folder-other-owner`, `folder-writable`, `home-unknown`.
  static func checkOwn(_ folder: String) throws(TrustError) {
    do throws(FolderError) { try OwnFolder.check(folder) } catch { throw TrustError(error) }
  }

  private static func record(at path: String, _ name: String) throws(TrustError) -> KeyRecord? {
    guard KeyRecord.isName(name) else { return nil }
    try checkOwn(FileSystem.folder(of: path))
    guard FileStatus(path) != nil else { return nil }
    let bytes: Bytes
    do throws(FileError) {
      bytes = try Bytes.reading(path, limit: PrivateFile.limit)
    } catch {
      throw TrustError(error)
    }
    do throws(TrustError) {
      let record = try KeyRecord(reading: bytes.buffer)
      guard record.name == name else { throw TrustError(.keyRecordMalformed, ["field": "name"]) }
      return record
    } catch {
      throw TrustError(error.code, error.values, at: .file(path))
    }
  }

  func unknown(_ name: String, among names: [String]) -> TrustError {
    guard let near = closestMatch(to: name, among: names) else { return TrustError(.keyUnknown, ["name": name]) }
    return TrustError(.keyUnknownNear, ["name": name, "suggestion": near])
  }

  // MARK: Private keys

  /// The key that `word` names, still closed: the own key of that name, else the file at that path.
  ///
  /// - Throws: `TrustError` `key-unknown`, `key-record-malformed`, `key-file-permissions`.
  package func sealedKey(_ word: String) throws(TrustError) -> SealedKey {
    let isOwn = KeyRecord.isName(word) && FileStatus(ofLink: recordPath(word)) != nil
    guard isOwn || FileStatus(word) == nil else {
      return SealedKey(name: word, record: nil, file: try .init(reading: word))
    }
    // Says what is wrong with the folder too.
    let record = try record(word)
    return SealedKey(name: word, record: record, file: try KeyFile(reading: keyPath(word)))
  }

  /// Opens the own key `name`, or the file at that path, to sign for `role` with it.
  ///
  /// - Parameter passphrase: nil for a key that is not encrypted.
  /// - Throws: `TrustError` as `sealedKey`, `SealedKey.check` and `SealedKey.open` do.
  package func signingKey(
    _ word: String, for role: KeyRole, passphrase: SecretBytes?
  ) throws(TrustError) -> SigningKey {
    let sealed = try sealedKey(word)
    try sealed.check(for: role, at: now())
    return try sealed.open(with: passphrase).signingKey()
  }

  // MARK: Trusted keys

  /// The public keys of others that may speak for `role` now: neither revoked nor expired nor published.
  package func trustedKeys(for role: KeyRole) throws(TrustError) -> [KeyRecord] {
    try trustedNames().map { name throws(TrustError) in try trustedRecord(name) }.filter { allows($0, role) }
  }

  /// The user's own keys that sign and may speak for `role` now.
  package func ownKeys(for role: KeyRole) throws(TrustError) -> [KeyRecord] {
    try names().map { name throws(TrustError) in try record(name) }
      .filter { (try? $0.publicKey.verificationKey()) != nil && allows($0, role) }
  }

  private func allows(_ record: KeyRecord, _ role: KeyRole) -> Bool {
    (try? record.check(for: role, at: now())) != nil
  }
}

extension TrustError.Code {
  package static let keyUnknown = TrustError.Code("key-unknown", exit: .inputMissing)
  package static let keyUnknownNear = TrustError.Code("key-unknown-near", exit: .inputMissing)
  package static let keyRecordMismatch = refused("key-record-mismatch")
}
