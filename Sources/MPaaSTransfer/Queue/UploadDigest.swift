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
    var sums = (sha1: Insecure.SHA1(), sha256: SHA256(), crc: CRC32C())
    try FilePart.read(path, range) { bytes in
      switch self {
      case .sha1: sums.sha1.update(bufferPointer: bytes)
      case .sha256: sums.sha256.update(bufferPointer: bytes)
      case .crc32c: sums.crc.update(bytes)
      }
    }
    let value: [UInt8] =
      switch self {
      case .sha1: Array(sums.sha1.finalize())
      case .sha256: Array(sums.sha256.finalize())
      case .crc32c: withUnsafeBytes(of: sums.crc.value.bigEndian) { Array($0) }
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
