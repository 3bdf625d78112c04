/// Checksums of zlib.
package enum Checksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
  }

  /// CRC-32 as of IEEE 802.3, the one of zip and PNG.
  package static func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let table = table
    return ~bytes.reduce(~UInt32(0)) { value, byte in
      value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)]
    }
  }

  /// Adler-32 (RFC 1950, 8.2), which ends what zlib compressed.
  package static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (low, high) = (UInt32(1), UInt32(0))
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }
}
