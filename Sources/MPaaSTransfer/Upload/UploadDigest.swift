import Crypto
import MPaaSSupport
import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The checksum of one request's bytes (tus checksum extension).
enum ChunkChecksum: String, CaseIterable {
  case sha1
  case sha256
  case crc32c

  /// Of a part of a file, as the header bears it.
  func header(_ path: String, _ range: Range<UInt64>) throws(FileError) -> String {
    var sums = (sha1: Insecure.SHA1(), sha256: SHA256(), crc: ~UInt32(0))
    try FilePart.read(path, range) { bytes in
      switch self {
      case .sha1: sums.sha1.update(bufferPointer: bytes)
      case .sha256: sums.sha256.update(bufferPointer: bytes)
      case .crc32c: sums.crc = CRC32C.update(sums.crc, bytes)
      }
    }
    let value: [UInt8] =
      switch self {
      case .sha1: Array(sums.sha1.finalize())
      case .sha256: Array(sums.sha256.finalize())
      case .crc32c: withUnsafeBytes(of: (~sums.crc).bigEndian) { Array($0) }
      }
    return "\(rawValue) \(Base64.text(value))"
  }
}

/// Reads a part of a file, piece by piece.
enum FilePart {
  static func read(
    _ path: String, _ range: Range<UInt64>, _ take: (UnsafeRawBufferPointer) -> Void
  ) throws(FileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last(.open, path) }
    defer { close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    var position = range.lowerBound
    while position < range.upperBound {
      let wanted = Int(min(UInt64(buffer.count), range.upperBound - position))
      let count = pread(descriptor, buffer.baseAddress, wanted, off_t(position))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw count < 0 ? .last(.read, path) : FileError(.read, path, .ioError) }
      take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      position += UInt64(count)
    }
  }

  static func sha256(_ path: String, _ range: Range<UInt64>) throws(FileError) -> [UInt8] {
    var hash = SHA256()
    try read(path, range) { hash.update(bufferPointer: $0) }
    return Array(hash.finalize())
  }
}

/// CRC-32C (Castagnoli), as iSCSI has it (RFC 3720, 12.1).
enum CRC32C {
  private static let tables: [[UInt32]] = {
    var tables = [[UInt32]](repeating: [UInt32](repeating: 0, count: 256), count: 8)
    for index in 0..<256 {
      tables[0][index] = (0..<8).reduce(UInt32(index)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0x82f6_3b78 : value >> 1
      }
    }
    for table in 1..<8 {
      for index in 0..<256 {
        let before = tables[table - 1][index]
        tables[table][index] = before >> 8 ^ tables[0][Int(before & 255)]
      }
    }
    return tables
  }()

  /// Goes on with a sum that began as all ones; its complement is the checksum.
  static func update(_ sum: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var sum = sum
    let tables = tables
    var rest = bytes[...]
    while rest.count >= 8 {
      let start = rest.startIndex
      let low = sum ^ bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self).littleEndian
      let high = bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self).littleEndian
      sum = 0
      for index in 0..<4 {
        sum ^= tables[7 - index][Int(low >> UInt32(8 * index) & 255)]
        sum ^= tables[3 - index][Int(high >> UInt32(8 * index) & 255)]
      }
      rest = rest.dropFirst(8)
    }
    for byte in rest { sum = sum >> 8 ^ tables[0][Int((sum ^ UInt32(byte)) & 255)] }
    return sum
  }
}
