/// CRC-32C (Castagnoli; RFC 3720, appendix B.4), eight bytes at a time.
package struct CRC32C: Sendable {
  private var state: UInt32 = ~0

  package init() {}

  /// The checksum of what was taken.
  package var value: UInt32 { ~state }

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

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
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
