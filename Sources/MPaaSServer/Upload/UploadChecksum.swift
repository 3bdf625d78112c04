import MPaaSDigests
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The checksum of one request's bytes, as they come.
struct UploadChecksum {
  private var running: RunningDigest

  /// The algorithms of `Tus-Checksum-Algorithm`.
  static let algorithms = ["sha1", "sha256", "crc32c"]

  init?(_ algorithm: String) {
    switch algorithm.lowercased() {
    case "sha1": running = RunningDigest(.sha1)
    case "sha256", "sha-256": running = RunningDigest(.sha256)
    case "crc32c": running = RunningDigest(.crc32c)
    default: return nil
    }
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) { running.update(bytes) }

  /// The digest; a CRC as four bytes, the most significant first.
  var digest: [UInt8] { running.value }
}

/// The checksum that the bytes of a request must come to.
struct ExpectedChecksum: Sendable {
  let algorithm: String
  let digest: [UInt8]

  /// `Upload-Checksum` of tus: an algorithm and a digest in base64.
  ///
  /// - Throws: `server-checksum-algorithm`.
  init?(tus text: String?) throws {
    guard let text else { return nil }
    let words = text.split(separator: " ")
    guard words.count == 2, UploadChecksum(String(words[0])) != nil, let data = Data(base64Encoded: String(words[1]))
    else { throw Refusal(.checksumAlgorithm, ["algorithm": text]) }
    algorithm = String(words[0])
    digest = Array(data)
  }

  init(sha256 digest: [UInt8]) {
    algorithm = "sha256"
    self.digest = digest
  }
}
