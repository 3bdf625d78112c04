import MPaaSSupport
package import MPaaSTrust

extension VerificationKey {
  /// The public key in a file: PEM, or minisign's two lines.
  package static func reading(_ path: String) throws -> VerificationKey {
    let bytes = try Bytes.reading(path, limit: 1 << 16)
    let text = String(decoding: bytes.array, as: UTF8.self)
    do throws(TrustError) {
      if let key = try? NumberedKey(reading: bytes.array) { return key.key }
      return try PublicKey(text: text).verificationKey()
    } catch {
      throw TrustError(error.code, error.values, at: .file(path))
    }
  }
}
