import MPaaSSupport
package import MPaaSTrust

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A file that holds a key, in any of the formats that are known here; what it is, its content says.
package struct KeyFile: Sendable {
  package enum Format: Sendable {
    /// PKCS#8, SEC 1 or PKCS#1 in PEM.
    case pem
    /// PKCS#8 in PEM under a passphrase.
    case encryptedPEM
    /// Any of the others under a passphrase, by age; the store's own files are this.
    case sealed
    /// `AGE-SECRET-KEY-1…`.
    case ageIdentity
    case minisignSecret
    /// The private key file of signify, which may be under a passphrase that is not supported.
    case signifySecret
    case publicPEM
    /// `age1…`.
    case ageRecipient
    case minisignPublic
    /// A record of the store.
    case record
    /// A key as repositories list it.
    case tuf
  }

  private let bytes: SecretBytes
  package let format: Format

  /// - Parameter name: What errors call the file.
  /// - Throws: `TrustError` `key-kind-unknown`.
  package init(_ bytes: SecretBytes, name: String) throws(TrustError) {
    guard let format = Self.format(of: bytes.text) else { throw TrustError(.keyKindUnknown, ["path": name]) }
    self.bytes = bytes
    self.format = format
  }

  /// Reads a file that only its owner may read.
  package init(reading path: String) throws(TrustError) {
    try self.init(PrivateFile.read(path), name: path)
  }

  private static func format(of text: String) -> Format? {
    let start = text.trimmed
    // Before PEM, which stands inside JSON too.
    if start.hasPrefix("{") { return start.has("\"mpaas_key\"") ? .record : .tuf }
    if text.hasPrefix("-----BEGIN AGE ENCRYPTED FILE-----") || text.hasPrefix("age-encryption.org/") { return .sealed }
    if text.has("-----BEGIN \(EncryptedPKCS8.label)-----") { return .encryptedPEM }
    if text.has("PRIVATE KEY-----") { return .pem }
    if text.has("-----BEGIN PUBLIC KEY-----") { return .publicPEM }
    if text.has("AGE-SECRET-KEY-1") { return .ageIdentity }
    if start.hasPrefix("age1") { return .ageRecipient }
    if text.hasPrefix("untrusted comment:") {
      switch text.split(whereSeparator: \.isNewline).dropFirst().first?.utf8.count {
      case 56: return .minisignPublic
      case 212: return .minisignSecret
      case 140: return .signifySecret
      default: return nil
      }
    }
    return start.hasPrefix("RW") && start.utf8.count == 56 ? .minisignPublic : nil
  }

  /// Tells whether there is a private key in it.
  package var isPrivate: Bool {
    switch format {
    case .pem, .encryptedPEM, .sealed, .ageIdentity, .minisignSecret, .signifySecret: true
    case .publicPEM, .ageRecipient, .minisignPublic, .record, .tuf: false
    }
  }

  /// Tells whether a passphrase is needed to open it.
  package var isEncrypted: Bool {
    switch format {
    case .encryptedPEM, .sealed: true
    case .minisignSecret: !hasPlainMinisign
    default: false
    }
  }

  /// Behind `Ed` stand two zeros where a key of minisign is not encrypted.
  private var hasPlainMinisign: Bool {
    let line = bytes.text.split(whereSeparator: \.isNewline).dropFirst().first ?? ""
    return Data(base64Encoded: String(line.prefix(8)))?.dropFirst(2).prefix(2).elementsEqual([0, 0]) ?? false
  }

  // MARK: Private keys

  /// The private key.
  ///
  /// - Parameters:
  ///   - passphrase: nil for a file that is not encrypted.
  ///   - name: What errors call the key.
  /// - Throws: `TrustError` `passphrase-missing`, `passphrase-wrong`, `private-key-malformed`, `pem-malformed`,
  ///   `private-key-encryption`, and what reading a damaged file throws.
  package func open(with passphrase: SecretBytes?, name: String) throws(TrustError) -> PrivateKey {
    try openNumbered(with: passphrase, name: name).key
  }

  /// The private key, and the number that minisign's or signify's file calls it by; nil for the other formats.
  package func openNumbered(
    with passphrase: SecretBytes?, name: String
  ) throws(TrustError) -> (key: PrivateKey, number: [UInt8]?) {
    guard isEncrypted else {
      if format == .minisignSecret { return try minisign(nil, name) }
      if format == .signifySecret {
        let key = try SignifySecretKey.read(Array(bytes.text.utf8))
        return (.signing(key.key), key.number)
      }
      return (try plainKey(), nil)
    }
    guard let passphrase else { throw TrustError(.passphraseMissing, ["name": name]) }
    switch format {
    case .sealed: return (try KeyFile(unsealed(passphrase, name), name: name).plainKey(), nil)
    case .encryptedPEM:
      let block = try PEMBlock.blocks(in: bytes.text).first { $0.label == EncryptedPKCS8.label }
      guard let block else { throw TrustError(.privateKeyMalformed) }
      return (try EncryptedPKCS8.open(block.der, passphrase: passphrase, name: name), nil)
    default: return try minisign(passphrase.text, name)
    }
  }

  private func plainKey() throws(TrustError) -> PrivateKey {
    switch format {
    case .pem: return try PrivateKey(pem: bytes.text)
    case .ageIdentity:
      guard case .x25519(let key)? = try AgeIdentity.list(reading: bytes.text).first?.kind else {
        throw TrustError(.privateKeyMalformed)
      }
      return .age(key)
    default: throw TrustError(.privateKeyMalformed)
    }
  }

  private func unsealed(_ passphrase: SecretBytes, _ name: String) throws(TrustError) -> SecretBytes {
    var plain: [UInt8]
    do throws(TrustError) {
      plain = try bytes.withUnsafeBytes { file throws(TrustError) in
        try Age.decrypt(file, with: [.passphrase(passphrase.text)], limit: PrivateFile.limit)
      }
    } catch {
      throw error.code == .ageNoIdentity ? TrustError(.passphraseWrong, ["name": name]) : error
    }
    defer { SecretBytes.wipe(&plain) }
    return plain.withUnsafeBytes { SecretBytes(copying: $0) }
  }

  private func minisign(
    _ passphrase: String?, _ name: String
  ) throws(TrustError) -> (key: PrivateKey, number: [UInt8]?) {
    do throws(TrustError) {
      let key = try MinisignSecretKey.read(Array(bytes.text.utf8), passphrase: passphrase)
      return (.signing(key.key), key.number)
    } catch {
      throw error.code == .passphraseWrong ? TrustError(.passphraseWrong, ["name": name]) : error
    }
  }

  // MARK: Public keys

  /// The public key, as a record that knows no more of it than the file says.
  ///
  /// - Parameter name: The name for a key that has none.
  /// - Throws: `TrustError` `key-kind-unknown` where the file holds a private key, and what reading the key throws.
  package func record(named name: String, at time: Date) throws(TrustError) -> KeyRecord {
    let key: PublicKey
    switch format {
    case .record: return try bytes.withUnsafeBytes { bytes throws(TrustError) in try KeyRecord(reading: bytes) }
    case .publicPEM, .ageRecipient: key = try PublicKey(text: bytes.text.trimmed)
    case .tuf: key = .signing(try tuf())
    case .minisignPublic:
      let found = try NumberedKey(reading: Array(bytes.text.utf8))
      var record = KeyRecord(name: name, publicKey: .signing(found.key), created: time)
      record.number = found.number
      return record
    case .pem, .encryptedPEM, .sealed, .ageIdentity, .minisignSecret, .signifySecret:
      throw TrustError(.keyKindUnknown, ["path": name])
    }
    return KeyRecord(name: name, publicKey: key, created: time)
  }

  private func tuf() throws(TrustError) -> VerificationKey {
    let value = bytes.withUnsafeBytes { try? JSONValue(reading: $0) }
    return try VerificationKey(metadata: value ?? .null)
  }
}

extension KeyFile {
  /// The contents of a file of the store that keeps `key`; without a passphrase it is not encrypted.
  ///
  /// - Parameter workFactor: The binary logarithm of scrypt's N.
  package static func contents(
    of key: PrivateKey, passphrase: SecretBytes?, workFactor: Int
  ) throws(TrustError) -> [UInt8] {
    try sealed(Array(key.pem.utf8), passphrase, workFactor)
  }

  /// Encrypts `plain`, which is overwritten, with a passphrase.
  static func sealed(
    _ plain: consuming [UInt8], _ passphrase: SecretBytes?, _ workFactor: Int
  ) throws(TrustError) -> [UInt8] {
    guard let passphrase else { return plain }
    var plain = plain
    defer { SecretBytes.wipe(&plain) }
    return try plain.withUnsafeBufferPointer { bytes throws(TrustError) in
      try Age.encrypt(
        UnsafeRawBufferPointer(bytes), to: [.passphrase(passphrase.text, workFactor: workFactor)], armored: true)
    }
  }
}

extension TrustError.Code {
  package static let passphraseMissing = TrustError.Code("passphrase-missing", exit: .usage)
  package static let passphraseWrong = refused("passphrase-wrong")
  package static let keyKindUnknown = malformed("key-kind-unknown")
}
