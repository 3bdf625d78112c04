import MPaaSSupport

/// How a private key stands in a file of the store: PKCS#8 in PEM, encrypted with a passphrase by age or as it is.
package struct PrivateKeyFile: Sendable {
  private let bytes: SecretBytes

  package init(_ bytes: SecretBytes) {
    self.bytes = bytes
  }

  /// Reads a file that nobody but its owner may read.
  package init(reading path: String) throws(TrustError) {
    bytes = try PrivateFile.read(path)
  }

  /// Whether a passphrase is needed to open it.
  package var isEncrypted: Bool { bytes.withUnsafeBytes { Self.isAge($0) } }

  private static func isAge(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: "-----BEGIN AGE ENCRYPTED FILE-----".utf8) || bytes.starts(with: "age-encryption.org/".utf8)
  }

  /// The key.
  ///
  /// - Parameters:
  ///   - passphrase: nil for a file that is not encrypted.
  ///   - name: What errors call the key.
  /// - Throws: `TrustError` `passphrase-missing`, `passphrase-wrong`, `private-key-malformed`, `pem-malformed`, and what
  ///   decrypting a damaged file throws.
  package func open(with passphrase: SecretBytes?, name: String) throws(TrustError) -> PrivateKey {
    guard isEncrypted else { return try PrivateKey(pem: bytes.text) }
    guard let passphrase else { throw TrustError(.passphraseMissing, ["name": name]) }
    var plain: [UInt8]
    do throws(TrustError) {
      plain = try bytes.withUnsafeBytes { file throws(TrustError) in
        try Age.decrypt(file, with: [.passphrase(passphrase.text)], limit: PrivateFile.limit)
      }
    } catch {
      throw error.code == .ageNoIdentity ? TrustError(.passphraseWrong, ["name": name]) : error
    }
    defer { SecretBytes.wipe(&plain) }
    return try PrivateKey(pem: String(decoding: plain, as: UTF8.self))
  }

  /// The contents of a file that keeps `key`; without a passphrase it is not encrypted.
  ///
  /// - Parameter workFactor: The binary logarithm of scrypt's N.
  package static func contents(
    of key: PrivateKey, passphrase: SecretBytes?, workFactor: Int
  ) throws(TrustError) -> [UInt8] {
    var plain = Array(key.pem.utf8)
    guard let passphrase else { return plain }
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
}
