import MPaaSSupport
package import MPaaSTrust

extension VerificationKey {
  /// The public key in a file: PEM, or minisign's two lines.
  ///
  /// - Throws: `TrustError` of the file, and what reading a public key throws.
  package static func reading(_ path: String) throws(TrustError) -> VerificationKey {
    let bytes: Bytes
    do throws(FileError) { bytes = try Bytes.reading(path, limit: 1 << 16) } catch { throw TrustError(error) }
    return try TrustError.at(path) { () throws(TrustError) in
      if let key = try? NumberedKey(reading: bytes.array) { return key.key }
      return try PublicKey(text: String(decoding: bytes.array, as: UTF8.self)).verificationKey()
    }
  }
}
