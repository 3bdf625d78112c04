import Crypto
package import MPaaSSupport

/// What a file's content is known by.
package enum FileDigest {
  /// The SHA-256 of a file in lower-case hexadecimal, and its size.
  package static func sha256(_ path: String) throws(FileError) -> (hexadecimal: String, size: Int64) {
    let bytes = try Bytes.mapping(path)
    return (sha256(bytes), Int64(bytes.count))
  }

  package static func sha256(_ bytes: Bytes) -> String {
    var digest = SHA256()
    digest.update(bufferPointer: bytes.buffer)
    return withExtendedLifetime(bytes) { digest.finalize().hexadecimal }
  }
}
