/// Tells whether bytes are UTF-8, and where they are not.
package enum UTF8Check {
  /// The offset of the first byte that begins no well-formed sequence; nil where all of it is UTF-8.
  ///
  /// - Source: Unicode 16, table 3-7.
  package static func firstFault(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let count = bytes.count
    var index = 0
    while index < count {
      let lead = base.load(fromByteOffset: index, as: UInt8.self)
      if lead < 0x80 {
        index += 1
        while index + 8 <= count,
          base.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          index += 8
        }
        continue
      }
      let length: Int
      var low: UInt8 = 0x80
      var high: UInt8 = 0xbf
      switch lead {
      case 0xc2...0xdf: length = 2
      case 0xe0:
        length = 3
        low = 0xa0
      case 0xed:
        length = 3
        high = 0x9f
      case 0xe1...0xef: length = 3
      case 0xf0:
        length = 4
        low = 0x90
      case 0xf4:
        length = 4
        high = 0x8f
      case 0xf1...0xf3: length = 4
      default: return index
      }
      guard index + length <= count else { return index }
      let second = base.load(fromByteOffset: index + 1, as: UInt8.self)
      guard second >= low, second <= high else { return index }
      for place in 2..<max(length, 2) {
        guard base.load(fromByteOffset: index + place, as: UInt8.self) & 0xc0 == 0x80 else { return index }
      }
      index += length
    }
    return nil
  }
}
