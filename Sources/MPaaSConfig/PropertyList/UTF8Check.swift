/// Tells whether bytes are UTF-8.
enum UTF8Check {
  /// The offset of the first sequence that is no character (Unicode, table 3-7); nil where all are.
  static func firstInvalid(_ bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let raw = UnsafeRawPointer(base)
    var offset = 0
    while offset < bytes.count {
      while offset + 8 <= bytes.count,
        raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        offset += 8
      }
      while offset < bytes.count, bytes[offset] < 0x80 {
        offset += 1
        if offset & 7 == 0 { break }
      }
      guard offset < bytes.count, bytes[offset] >= 0x80 else { continue }
      let size = size(bytes, at: offset)
      guard size > 0 else { return offset }
      offset += size
    }
    return nil
  }

  /// The number of bytes of the character that begins here with a byte above 7f; 0 where none does.
  @inline(__always)
  private static func size(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> Int {
    let first = bytes[offset]
    let size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
    guard first >= 0xc2, first <= 0xf4, bytes.count - offset >= size else { return 0 }
    let second = bytes[offset + 1]
    switch first {
    case 0xe0: guard second >= 0xa0 else { return 0 }
    case 0xed: guard second < 0xa0 else { return 0 }
    case 0xf0: guard second >= 0x90 else { return 0 }
    case 0xf4: guard second < 0x90 else { return 0 }
    default: break
    }
    for index in 1..<size where bytes[offset + index] & 0xc0 != 0x80 { return 0 }
    return size
  }
}

extension UTF8Check {
  static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var bits: UInt64 = 0
    var offset = 0
    let raw = UnsafeRawBufferPointer(bytes)
    while offset + 8 <= raw.count {
      bits |= raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    while offset < raw.count {
      bits |= UInt64(raw[offset])
      offset += 1
    }
    return bits & 0x8080_8080_8080_8080 == 0
  }
}
