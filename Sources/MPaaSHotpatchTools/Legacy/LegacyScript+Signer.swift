package import MPaaSHotpatch
package import MPaaSSupport
import MPaaSTrust

extension LegacyScript {
  /// The warning wherever an old script is read or written.
  package static var warning: Diagnostic { Diagnostic("legacy-weak", exit: .done) }

  /// Checks the signature of an old script by the first trusted RSA key that fits; nothing is decrypted.
  ///
  /// - Parameter isAllowed: Whether the user asked for the old scheme.
  /// - Throws: `TrustError` `trust-root-missing` where no trusted key is RSA, and as `verified`.
  package static func signer(
    of bytes: Bytes, among signers: TrustedSigners, isAllowed: Bool
  ) throws(TrustError) -> (signer: TrustedSigners.Signer, key: LegacyPublicKey) {
    let keys = signers.signers.compactMap { signer in LegacyPublicKey(signer.key).map { (signer, $0) } }
    guard let first = keys.first else { throw TrustError(.trustRootMissing) }
    let (signer, key) = keys.first { (try? verified(bytes, signedBy: $0.1, isAllowed: isAllowed)) != nil } ?? first
    try verified(bytes, signedBy: key, isAllowed: isAllowed)
    return (signer, key)
  }
}

/// Tells bundles and old scripts from other files.
package enum BundlePath {
  /// Tells a bundle or an old script from another file, by its name or its content.
  package static func names(_ path: String) -> Bool {
    if path.hasSuffix(".mpatch") { return true }
    guard FileStatus(path)?.kind == .file, let bytes = try? Bytes.mapping(path) else { return false }
    return bytes.buffer.starts(with: BundleContainer.manifestName.utf8) || LegacyScript.matches(bytes)
  }

  /// The bytes of a bundle; of what is no file only as many are read as a bundle can have.
  package static func read(_ path: String) throws(FileError) -> Bytes {
    guard FileStatus(path)?.kind == .other else { return try Bytes.mapping(path) }
    return try Bytes.reading(path, limit: BundleLimits().bundle + 1)
  }
}
