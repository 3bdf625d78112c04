import MPaaSSupport
package import MPaaSTrust

/// A key picture in a file that was opened, and what it takes to write it again.
package struct KeyPictureFile: Sendable {
  package let path: String
  package let bundleIdentifier: String
  package let picture: KeyPicture
  private let bytes: Bytes
  private let passphrase: SecretBytes?

  /// Opens a picture.
  ///
  /// - Parameter ask: Gives the passphrase; called only for a picture that was made with one.
  /// - Throws: `TrustError` as `KeyPicture`, at the file; what `ask` throws.
  package init(_ path: String, bundleIdentifier: String, passphrase ask: () throws -> SecretBytes) throws {
    self.path = path
    self.bundleIdentifier = bundleIdentifier
    let bytes = try KeyPicture.read(path)
    let secret = try KeyPicture.needsPassphrase(bytes) ? ask() : nil
    picture = try TrustError.at(path) { () throws(TrustError) in
      try KeyPicture(bytes, bundleIdentifier: bundleIdentifier, passphrase: secret)
    }
    self.bytes = bytes
    passphrase = secret
  }

  /// True if the picture needs a passphrase too.
  package var isProtected: Bool { passphrase != nil }

  /// Changes the pairs and writes the picture back, where the change throws nothing.
  ///
  /// - Returns: The pairs as they are now.
  package func edit(_ change: (inout KeyPairs) throws -> Void) throws -> KeyPairs {
    var pairs = try picture.editable
    try change(&pairs)
    try Self.write(pairs, into: bytes, at: path, bundleIdentifier: bundleIdentifier, passphrase: passphrase)
    return pairs
  }

  /// Writes pairs into a picture of a new file.
  ///
  /// - Parameters:
  ///   - carrier: The file of a PNG or JPEG; nil for a small PNG.
  ///   - ask: Gives the passphrase, once the carrier was read; nil for a picture without one.
  /// - Throws: `FileError`; `TrustError` as `KeyPicture.encode`; what `ask` throws.
  package static func make(
    _ pairs: KeyPairs, carrier: String?, at path: String, bundleIdentifier: String,
    passphrase ask: () throws -> SecretBytes?
  ) throws {
    let bytes = try carrier.map { path throws(TrustError) in try KeyPicture.read(path) }
    try write(pairs, into: bytes, at: path, bundleIdentifier: bundleIdentifier, passphrase: try ask())
  }

  private static func write(
    _ pairs: KeyPairs, into carrier: Bytes?, at path: String, bundleIdentifier: String, passphrase: SecretBytes?
  ) throws {
    let bytes = try KeyPicture.encode(
      pairs, in: carrier, bundleIdentifier: bundleIdentifier, passphrase: passphrase)
    try Bytes(bytes).write(to: path)
  }
}
