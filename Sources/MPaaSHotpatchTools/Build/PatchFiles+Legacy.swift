import MPaaSHotpatch
package import MPaaSSupport
import MPaaSTrust
import MPaaSTrustTools

extension PatchFiles {
  /// Writes the old script of the only file.
  ///
  /// - Parameters:
  ///   - aesKey: 32 hexadecimal digits.
  ///   - rsaKey: The file of the key that signs, in PEM.
  ///   - warn: Is told of a key that others may read, and of the scheme.
  /// - Throws: `FileError`; `TrustError` `bundle-legacy-one-file`, and as `LegacyScript.encoded`.
  package func writeScript(
    to path: String, aesKey: String, rsaKey: String, warn: (Diagnostic) -> Void
  ) throws -> BuiltPatch {
    guard files.count == 1, let file = files.first, file.isLua else {
      throw TrustError(.bundleLegacyOneFile, ["count": String(files.count)])
    }
    let rsa = try Self.key(at: rsaKey, warn)
    warn(LegacyScript.warning)
    let bytes = try LegacyScript.encoded(
      file.contents.array, aesKey: try LegacyAESKey(hexadecimal: aesKey), rsaKey: rsa)
    try Bytes(bytes).write(to: path)
    return BuiltPatch(
      path: path, size: bytes.count, manifest: nil, entry: file.path,
      keys: [try VerificationKey(pem: rsa.publicKey.pem)], isReproducible: true)
  }

  private static func key(at path: String, _ warn: (Diagnostic) -> Void) throws(TrustError) -> LegacyPrivateKey {
    let (bytes, isOpenToOthers) = try PrivateFile.readAnyway(path)
    if isOpenToOthers {
      warn(Diagnostic("legacy-key-open", ["path": path], at: .file(path), exit: .notPermitted))
    }
    return try TrustError.at(path) { () throws(TrustError) in
      try LegacyPrivateKey(pem: bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
    }
  }
}

extension TrustError.Code {
  static let bundleLegacyOneFile = TrustError.Code("bundle-legacy-one-file", exit: .usage)
}
