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

  private var text: String { bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }

  /// Whether a passphrase is needed to open it.
  package var isEncrypted: Bool { !text.contains("PRIVATE KEY-----") }

  /// The key.
  ///
  /// - Parameter passphrase: nil for a file that is not encrypted.
  /// - Throws: `TrustError` `passphrase-missing`, `passphrase-wrong`, `private-key-malformed`.
  package func open(with passphrase: SecretBytes?) throws(TrustError) -> PrivateKey {
    try PrivateKey(pem: text)
  }

  /// The contents of a file that keeps `key`; without a passphrase it is not encrypted.
  static func contents(
    of key: PrivateKey, passphrase: SecretBytes?, workFactor: Int
  ) throws(TrustError) -> [UInt8] {
    Array(key.pem.utf8)
  }
}

extension TrustError.Code {
  package static let passphraseMissing = TrustError.Code("passphrase-missing", exit: .usage)
  package static let passphraseWrong = refused("passphrase-wrong")
}
