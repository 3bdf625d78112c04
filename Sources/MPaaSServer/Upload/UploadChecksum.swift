import Crypto

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

/// CRC-32C (Castagnoli; RFC 3720, appendix B.4), eight bytes at a time.
struct CRC32C: Sendable {
  private var state: UInt32 = ~0

  var value: UInt32 { ~state }

  private static let tables: [[UInt32]] = {
    var tables = [[UInt32]](repeating: [UInt32](repeating: 0, count: 256), count: 8)
    for index in 0..<256 {
      var value = UInt32(index)
      for _ in 0..<8 { value = value & 1 == 1 ? (value >> 1) ^ 0x82f6_3b78 : value >> 1 }
      tables[0][index] = value
    }
    for table in 1..<8 {
      for index in 0..<256 {
        let before = tables[table - 1][index]
        tables[table][index] = (before >> 8) ^ tables[0][Int(before & 0xff)]
      }
    }
    return tables
  }()

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    let tables = Self.tables
    var value = state
    var index = 0
    while index + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ UInt64(value)
      value = 0
      for byte in 0..<8 { value ^= tables[7 - byte][Int((word >> (8 * UInt64(byte))) & 0xff)] }
      index += 8
    }
    while index < bytes.count {
      value = (value >> 8) ^ tables[0][Int((value ^ UInt32(bytes[index])) & 0xff)]
      index += 1
    }
    state = value
  }
}
