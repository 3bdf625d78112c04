package import MPaaSSupport

/// A function that gives any bytes a few by which they are known.
package enum DigestAlgorithm: Sendable, CaseIterable {
  /// FIPS 180-4.
  case sha256, sha512
  /// GB/T 32905, which Chinese regulations ask for in the place of SHA-256.
  case sm3
  /// For formats that ask for them: nothing is safe by these.
  case md5, sha1
  /// The checksum of RFC 3720 as four bytes, the most significant first.
  case crc32c

  package func digest(of bytes: some Collection<UInt8>) -> [UInt8] {
    let value = bytes.withContiguousStorageIfAvailable { digest(of: UnsafeRawBufferPointer($0)) }
    return value ?? Array(bytes).withUnsafeBytes { digest(of: $0) }
  }

  package func digest(of bytes: Bytes) -> [UInt8] {
    withExtendedLifetime(bytes) { digest(of: bytes.buffer) }
  }

  package func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var running = RunningDigest(self)
    running.update(bytes)
    return running.value
  }

  /// The digest of an open file, which is read from its start, and how many bytes it has.
  ///
  /// - Parameter buffer: Memory for a piece of the file; its own where there is none.
  package func digest(
    of file: borrowing OpenFile, through buffer: UnsafeMutableRawBufferPointer? = nil
  ) throws(FileError) -> (value: [UInt8], size: UInt64) {
    var running = RunningDigest(self)
    try file.pass(0..., through: buffer) { running.update($0) }
    return (running.value, running.count)
  }

  /// The digest of a part of a file.
  ///
  /// - Throws: `FileError`; its code is `ioError` where the file ends before the part does.
  package func digest(ofFile path: String, _ range: Range<UInt64>) throws(FileError) -> [UInt8] {
    var running = RunningDigest(self)
    try OpenFile(path).pass(range) { running.update($0) }
    return running.value
  }

  /// The digest of a file, and how many bytes it has.
  package func digest(ofFile path: String) throws(FileError) -> (value: [UInt8], size: UInt64) {
    try digest(of: OpenFile(path))
  }
}

extension Collection<UInt8> {
  /// The SHA-256 of the bytes.
  package var sha256: [UInt8] { DigestAlgorithm.sha256.digest(of: self) }
}

extension Bytes {
  /// The SHA-256 of the bytes.
  package var sha256: [UInt8] { DigestAlgorithm.sha256.digest(of: self) }
}
