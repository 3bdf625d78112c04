import Crypto
import MPaaSSupport

/// The digest of an archive's file.
enum ArchiveDigest {
  /// Whether the file has this size and this SHA-256; false where it cannot be read.
  static func matches(_ path: String, size: UInt64, sha256: String) -> Bool {
    guard let status = FileStatus(path), status.kind == .file, status.size == size,
      let bytes = try? Bytes.mapping(path), UInt64(bytes.count) == size
    else { return false }
    var function = SHA256()
    // In pieces, so that what is mapped and was read may leave the memory.
    var rest = bytes.buffer[...]
    while !rest.isEmpty {
      let piece = rest.prefix(1 << 20)
      function.update(bufferPointer: UnsafeRawBufferPointer(rebasing: piece))
      rest = rest.dropFirst(piece.count)
    }
    return withExtendedLifetime(bytes) { function.finalize().hexadecimal == sha256 }
  }
}
