import MPaaSDigests
import MPaaSSupport

/// The digest of an archive's file.
enum ArchiveDigest {
  /// Tells whether the file has this size and this SHA-256; false where it cannot be read.
  static func matches(_ path: String, size: UInt64, sha256: String) -> Bool {
    guard let status = FileStatus(path), status.kind == .file, status.size == size,
      let digest = try? DigestAlgorithm.sha256.digest(ofFile: path)
    else { return false }
    return digest.size == size && digest.value.hexadecimal == sha256
  }
}
