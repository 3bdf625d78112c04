/// CRC-32 as of IEEE 802.3, the one of zlib and PNG.
package enum Checksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xedb8_8320 : value >> 1 }
  }

  package static func crc32(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    let table = table
    return ~bytes.reduce(~UInt32(0)) { value, byte in
      value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)]
    }
  }
}
