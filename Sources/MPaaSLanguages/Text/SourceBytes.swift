/// Classes of bytes for the lexers.
enum SourceBytes {
  static func isWord(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (letter >= 0x61 && letter <= 0x7a) || byte == 0x5f || byte >= 0x80 || (byte >= 0x30 && byte <= 0x39)
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0d) }

  static func hex(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x41 + 10)
    case 0x61...0x66: UInt32(byte - 0x61 + 10)
    default: nil
    }
  }

  /// Appends a scalar in UTF-8; one that is none as U+FFFD.
  static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    bytes += String(Character(Unicode.Scalar(value) ?? "\u{fffd}")).utf8
  }
}
