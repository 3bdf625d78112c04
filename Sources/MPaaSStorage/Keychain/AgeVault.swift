import MPaaSAge
import MPaaSSupport

/// Secrets in one file that is encrypted by age, for the key in a file beside it.
///
/// The content is JSON: an object of domains, in each an object of keys, whose values are base64.
struct AgeVault: SecretVault {
  /// The most bytes that all secrets may have.
  private static let greatestSize = 16 << 20

  private let file: String
  private let keyFile: String
  private let lockFile: String

  init(folder: String) throws(StorageError) {
    do throws(FileError) {
      try PrivateFolder.create(folder)
    } catch { throw StorageError(error) }
    file = folder + "/keychain.age"
    keyFile = folder + "/keychain.key"
    lockFile = folder + "/keychain.lock"
  }

  func read(_ key: String, _ domain: String) throws(StorageError) -> [UInt8]? {
    guard let text = try domains()[domain]?.object?[key]?.string else { return nil }
    guard let bytes = Base64.decode(text.utf8) else { throw broken("base64") }
    return bytes
  }

  func write(_ bytes: [UInt8], _ key: String, _ domain: String) throws(StorageError) {
    try change { domains in
      var members = domains[domain]?.object ?? JSONValue.Object()
      members[key] = .string(Base64.encode(bytes))
      domains[domain] = .object(members)
    }
  }

  func delete(_ key: String, _ domain: String) throws(StorageError) {
    guard try domains()[domain]?.object?[key] != nil else { return }
    try change { domains in
      var members = domains[domain]?.object ?? JSONValue.Object()
      members[key] = nil
      domains[domain] = members.isEmpty ? nil : .object(members)
    }
  }

  func keys(_ domain: String) throws(StorageError) -> [String] {
    try domains()[domain]?.object?.map(\.key) ?? []
  }

  private func domains() throws(StorageError) -> JSONValue.Object {
    guard FileStatus(file) != nil else { return JSONValue.Object() }
    let encrypted: Bytes
    do throws(FileError) { encrypted = try Bytes.reading(file, limit: Self.greatestSize) } catch {
      throw StorageError(error)
    }
    let identity = try identity(makesIt: false)
    let plain: Bytes
    do throws(TrustError) {
      plain = try Age.decrypt(encrypted, with: [identity], limit: Self.greatestSize)
    } catch { throw broken(error.identifier) }
    defer { withExtendedLifetime(plain) {} }
    guard let domains = (try? JSONValue(reading: plain.buffer, by: .exact))?.object else { throw broken("json") }
    return domains
  }

  /// Changes the secrets while no other process does; the file is the old one or the new one at any time.
  private func change(_ body: (inout JSONValue.Object) -> Void) throws(StorageError) {
    var failure: StorageError?
    do throws(FileError) {
      try FileSystem.withLock(lockFile) { () throws(FileError) in
        do throws(StorageError) { try changeLocked(body) } catch { failure = error }
      }
    } catch { throw StorageError(error) }
    if let failure { throw failure }
  }

  private func changeLocked(_ body: (inout JSONValue.Object) -> Void) throws(StorageError) {
    let identity = try identity(makesIt: true)
    var domains = try domains()
    body(&domains)
    guard let recipient = identity.recipient else { throw broken("recipient") }
    var plain = Array(JSONValue.object(domains).line.utf8)
    defer { SecretBytes.wipe(&plain) }
    guard plain.count < Self.greatestSize / 2 else { throw StorageError(.tooLong, ["size": "\(plain.count)"]) }
    try write(encrypted(plain, recipient), to: file)
  }

  private func encrypted(_ plain: [UInt8], _ recipient: AgeRecipient) throws(StorageError) -> [UInt8] {
    do throws(TrustError) {
      return try plain.withUnsafeBytes { plain in
        Result { () throws(TrustError) in try Age.encrypt(plain, to: [recipient]) }
      }.get()
    } catch { throw broken(error.identifier) }
  }

  /// The key that the file is encrypted for.
  private func identity(makesIt: Bool) throws(StorageError) -> AgeIdentity {
    if makesIt, FileStatus(keyFile) == nil {
      // Without its key a file that is there would be lost.
      guard FileStatus(file) == nil else { throw broken("keychain.key") }
      let identity = AgeIdentity.generate()
      try write(Array("\(identity.text ?? "")\n".utf8), to: keyFile)
      return identity
    }
    var text: [UInt8]
    do throws(FileError) { text = try Bytes.reading(keyFile, limit: 4096).array } catch { throw StorageError(error) }
    defer { SecretBytes.wipe(&text) }
    do throws(TrustError) {
      guard let identity = try AgeIdentity.list(reading: String(decoding: text, as: UTF8.self)).first else {
        throw TrustError(.ageKeyMalformed)
      }
      return identity
    } catch { throw broken(error.identifier) }
  }

  private func write(_ bytes: [UInt8], to path: String) throws(StorageError) {
    do throws(FileError) {
      try Bytes(bytes).write(to: path, mode: 0o600)
      FileSystem.settle(FileSystem.folder(of: path))
    } catch { throw StorageError(error) }
  }

  private func broken(_ reason: String) -> StorageError {
    StorageError(.keychainBroken, ["path": file, "reason": reason], at: .file(file))
  }
}
