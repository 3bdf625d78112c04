/// The kinds of bytes that tokens begin with.
enum ByteTable {
  static let blank: UInt8 = 1
  static let letter: UInt8 = 2
  static let digit: UInt8 = 4

  /// Flags by byte; all bytes past ASCII are letters.
  static let flags: [UInt8] = (0..<256).map { byte in
    switch UInt8(byte) {
    case 0x00...0x20, 0x7f: blank
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "$"), 0x80...0xff:
      letter
    default: 0
    }
  }
}
