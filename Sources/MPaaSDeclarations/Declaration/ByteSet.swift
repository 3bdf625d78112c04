/// A set of ASCII characters that is asked for each byte of a source: two words, quick in debug builds too.
struct ByteSet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init(_ characters: StaticString) {
    characters.withUTF8Buffer { buffer in
      for byte in buffer {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
      }
    }
  }

  func contains(_ byte: UInt8) -> Bool {
    if byte < 64 { return low &>> UInt64(byte) & 1 == 1 }
    return byte < 128 && high &>> UInt64(byte & 63) & 1 == 1
  }
}

/// The questions about a byte that both languages' lexers ask.
enum Characters {
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d || byte == 0x0b || byte == 0x0c || byte == 0
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  static func isWord(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (letter >= 0x61 && letter <= 0x7a) || byte == 0x5f || byte >= 0x80 || isDigit(byte) || byte == 0x24
  }

  /// The text with each run of blanks as one space, and without comments' line ends.
  static func collapsed(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    for offset in range {
      let byte = bytes[offset]
      if !isBlank(byte) {
        text.append(byte)
      } else if text.last != 0x20 {
        text.append(0x20)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
