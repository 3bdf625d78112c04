import Crypto
import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The checksum of one request's bytes, as they come.
enum UploadChecksum {
  case sha1(Insecure.SHA1)
  case sha256(SHA256)
  case crc32c(CRC32C)

  /// What `Tus-Checksum-Algorithm` says.
  static let algorithms = ["sha1", "sha256", "crc32c"]

  init?(_ algorithm: String) {
    switch algorithm.lowercased() {
    case "sha1": self = .sha1(Insecure.SHA1())
    case "sha256", "sha-256": self = .sha256(SHA256())
    case "crc32c": self = .crc32c(CRC32C())
    default: return nil
    }
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .sha1(var hash):
      hash.update(bufferPointer: bytes)
      self = .sha1(hash)
    case .sha256(var hash):
      hash.update(bufferPointer: bytes)
      self = .sha256(hash)
    case .crc32c(var sum):
      sum.update(bytes)
      self = .crc32c(sum)
    }
  }

  /// The digest; a CRC as four bytes, the most significant first.
  var digest: [UInt8] {
    switch self {
    case .sha1(let hash): Array(hash.finalize())
    case .sha256(let hash): Array(hash.finalize())
    case .crc32c(let sum): withUnsafeBytes(of: sum.value.bigEndian) { Array($0) }
    }
  }
}

/// What the bytes of a request must come to.
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
