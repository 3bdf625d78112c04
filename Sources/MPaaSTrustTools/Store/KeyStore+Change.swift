import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension KeyStore {
  /// Makes a new key and keeps it.
  ///
  /// - Parameter passphrase: What the private half is encrypted with; nil leaves it as it is.
  /// - Throws: `TrustError` `key-exists`, `key-name`.
  package func generate(
    _ name: String, _ kind: KeyKind = .ed25519, roles: [KeyRole] = [], expires: Date? = nil,
    passphrase: SecretBytes?
  ) throws(TrustError) -> KeyRecord {
    try checkFree(name)
    CoreDumps.forbid()
    return try add(PrivateKey.generate(kind), name, roles: roles, expires: expires, passphrase: passphrase)
  }

  /// Keeps a key that came from elsewhere.
  ///
  /// - Throws: `TrustError` `key-exists`, `key-name`, `key-published`.
  package func add(
    _ key: PrivateKey, _ name: String, roles: [KeyRole] = [], expires: Date? = nil, rotatedFrom: String? = nil,
    number: [UInt8]? = nil, passphrase: SecretBytes?
  ) throws(TrustError) -> KeyRecord {
    try checkFree(name)
    try PublishedKeys.refuse(key.publicKey)
    var record = KeyRecord(
      name: name, publicKey: key.publicKey, roles: roles, created: now(), expires: expires, rotatedFrom: rotatedFrom)
    record.number = number
    // Encrypting takes seconds: the lock is free for others meanwhile.
    var contents = try KeyFile.contents(of: key, passphrase: passphrase, workFactor: workFactor)
    defer { SecretBytes.wipe(&contents) }
    try changing { () throws(TrustError) in
      try checkFree(name)
      // The record comes last: a key without one is what an interrupted call left, and it was never shown.
      try PrivateFile.write(contents, to: keyPath(name))
      try write(record, to: recordPath(name))
    }
    return record
  }

  /// Takes the own key `name` away for good.
  ///
  /// - Throws: `TrustError` `key-unknown`.
  package func remove(_ name: String) throws(TrustError) {
    try changing { () throws(TrustError) in
      let isThere = FileStatus(ofLink: recordPath(name)) != nil || FileStatus(ofLink: keyPath(name)) != nil
      guard KeyRecord.isName(name), isThere else { throw try unknown(name, among: names()) }
      try Self.delete(keyPath(name))
      try Self.delete(recordPath(name))
    }
  }

  /// Trusts a public key of somebody else under `record.name`; the same key again takes the new record's place.
  ///
  /// - Throws: `TrustError` `key-exists` where the name has another key, `key-name`, `key-published`.
  package func trust(_ record: KeyRecord) throws(TrustError) {
    guard KeyRecord.isName(record.name) else { throw TrustError(.keyName, ["name": record.name]) }
    try PublishedKeys.refuse(record.publicKey)
    try changing { () throws(TrustError) in
      try PrivateFile.createFolder(trustedFolder)
      try Self.checkOwn(trustedFolder)
      if FileStatus(ofLink: trustedPath(record.name)) != nil {
        let old = try trustedRecord(record.name)
        guard old.publicKey == record.publicKey else { throw TrustError(.keyExists, ["name": record.name]) }
      }
      try write(record, to: trustedPath(record.name))
    }
  }

  /// Trusts the public key `name` no longer.
  ///
  /// - Throws: `TrustError` `key-unknown`.
  package func removeTrusted(_ name: String) throws(TrustError) {
    try changing { () throws(TrustError) in
      guard KeyRecord.isName(name), FileStatus(ofLink: trustedPath(name)) != nil else {
        throw try unknown(name, among: trustedNames())
      }
      try Self.delete(trustedPath(name))
    }
  }

  /// Changes what is known of the own key `name`, or of a trusted one.
  ///
  /// - Returns: The new record.
  package func update(
    _ name: String, isTrusted: Bool = false, _ change: (inout KeyRecord) -> Void
  ) throws(TrustError) -> KeyRecord {
    try changing { () throws(TrustError) in
      var record = isTrusted ? try trustedRecord(name) : try self.record(name)
      change(&record)
      try write(record, to: isTrusted ? trustedPath(name) : recordPath(name))
      return record
    }
  }

  /// Encrypts the own key `name` anew, with another passphrase or with none.
  package func changePassphrase(
    of name: String, from old: SecretBytes?, to new: SecretBytes?
  ) throws(TrustError) {
    let key = try sealedKey(name).open(with: old)
    var contents = try KeyFile.contents(of: key, passphrase: new, workFactor: workFactor)
    defer { SecretBytes.wipe(&contents) }
    try changing { () throws(TrustError) in
      _ = try record(name)
      try PrivateFile.write(contents, to: keyPath(name))
    }
  }

  // MARK: Files

  /// Checks that an own key can be called `name`.
  ///
  /// - Throws: `TrustError` `key-exists`, `key-name`.
  package func checkFree(_ name: String) throws(TrustError) {
    guard KeyRecord.isName(name) else { throw TrustError(.keyName, ["name": name]) }
    try Self.checkOwn(folder)
    guard FileStatus(ofLink: recordPath(name)) == nil, FileStatus(ofLink: keyPath(name)) == nil else {
      throw TrustError(.keyExists, ["name": name])
    }
  }

  private func write(_ record: KeyRecord, to path: String) throws(TrustError) {
    do throws(FileError) {
      try Bytes((record.value.line + "\n").utf8).write(to: path)
    } catch {
      throw TrustError(error)
    }
  }

  private static func delete(_ path: String) throws(TrustError) {
    do throws(FileError) {
      try FileSystem.remove(path)
    } catch {
      throw TrustError(error)
    }
  }

  /// Runs `body` while no other process changes the store.
  private func changing<Value>(_ body: () throws(TrustError) -> Value) throws(TrustError) -> Value {
    // Before, so that nothing is made in another one's home; after, since somebody may have been quicker.
    try Self.checkOwn(folder)
    try PrivateFile.createFolder(folder)
    try Self.checkOwn(folder)
    let result: Result<Value, TrustError>
    do throws(FileError) {
      result = try FileSystem.withLock(folder + "/.lock") { () throws(FileError) in
        do throws(TrustError) { return .success(try body()) } catch { return .failure(error) }
      }
    } catch {
      throw TrustError(error)
    }
    return try result.get()
  }
}

extension TrustError.Code {
  package static let keyExists = TrustError.Code("key-exists", exit: .cannotCreate)
  package static let keyName = TrustError.Code("key-name", exit: .usage)
}
