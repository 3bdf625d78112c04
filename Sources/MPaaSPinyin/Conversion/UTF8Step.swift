import MPaaSSupport

/// One step through UTF-8: what stands at a place.
enum UTF8Step {
  case scalar(UInt32, length: Int)
  /// No UTF-8; the length is that of the "maximal subpart" which one U+FFFD replaces (Unicode 15, section 3.9).
  case invalid(length: Int)
  /// The bytes end inside a character.
  case cut

  /// - Parameter bytes: At least one.
  static func at(_ bytes: UnsafePointer<UInt8>, available: Int) -> UTF8Step {
    let lead = bytes[0]
    if lead < 0x80 { return .scalar(UInt32(lead), length: 1) }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return .invalid(length: 1)
    }
    var scalar = UInt32(lead) & (0x7F >> UInt32(length))
    for index in 1..<length {
      guard index < available else { return .cut }
      let byte = bytes[index]
      guard index == 1 ? second.contains(byte) : byte & 0xC0 == 0x80 else { return .invalid(length: index) }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    return .scalar(scalar, length: length)
  }
}

extension PinyinError.Code {
  /// A text that is no UTF-8; `offset` is the byte from the beginning of the input, `byte` what stands there.
  public static var invalidUTF8: Self { .malformed("pinyin-invalid-utf8") }
}

extension PinyinError {
  /// The error about bytes that are no UTF-8.
  static func invalidUTF8(_ byte: UInt8, at offset: Int) -> PinyinError {
    PinyinError(.invalidUTF8, ["offset": "\(offset)", "byte": "0x" + String(byte, radix: 16)])
  }
}
