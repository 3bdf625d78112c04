import MPaaSDigests
import MPaaSSupport

/// The checksum of one request's bytes (tus checksum extension).
enum ChunkChecksum: String, CaseIterable {
  case sha1
  case sha256
  case crc32c

  private var algorithm: DigestAlgorithm {
    switch self {
    case .sha1: .sha1
    case .sha256: .sha256
    case .crc32c: .crc32c
    }
  }

  /// The checksum of a part of a file, as the header bears it.
  func header(_ path: String, _ range: Range<UInt64>) throws(FileError) -> String {
    "\(rawValue) \(Base64.encode(try algorithm.digest(ofFile: path, range)))"
  }
}
