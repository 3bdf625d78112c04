/// The escapes of quoted strings: `\n`, `\"`, `\U4e2d`, and octal numbers in NeXTSTEP's character set.
enum OldStyleEscapes {
  /// The string that the bytes between the quotes stand for.
  static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.withUnsafeBufferPointer { text in
      var result: [UInt8] = []
      result.reserveCapacity(text.count)
      var position = 0
      while position < text.count {
        guard text[position] == 0x5c, position + 1 < text.count else {
          result.append(text[position])
          position += 1
          continue
        }
        let (scalar, length) = escape(text, position)
        if let scalar {
          result.append(contentsOf: String(Character(scalar)).utf8)
        } else {
          result.append(text[position + 1])
        }
        position += length
      }
      return String(decoding: result, as: UTF8.self)
    }
  }

  /// The place of an escape that is no character; nil where all are.
  static func fault(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int? {
    var position = range.lowerBound
    let part = UnsafeBufferPointer(rebasing: text[range])
    while position < range.upperBound {
      guard text[position] == 0x5c else {
        position += 1
        continue
      }
      let (scalar, length) = escape(part, position - range.lowerBound)
      if scalar == nil, text[position + 1] == 0x55 { return position }
      position += length
    }
    return nil
  }

  /// The character of the escape at `position` and how many bytes it takes; nil for the byte behind the backslash.
  private static func escape(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> (Unicode.Scalar?, Int) {
    switch text[position + 1] {
    case 0x61: return ("\u{07}", 2)
    case 0x62: return ("\u{08}", 2)
    case 0x66: return ("\u{0c}", 2)
    case 0x6e: return ("\n", 2)
    case 0x72: return ("\r", 2)
    case 0x74: return ("\t", 2)
    case 0x76: return ("\u{0b}", 2)
    case 0x30...0x37: return octal(text, position)
    case 0x55: return unicode(text, position)
    default: return (nil, 2)
    }
  }

  private static func octal(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> (Unicode.Scalar?, Int) {
    var value = 0
    var end = position + 1
    while end < text.count, end < position + 4, (0x30...0x37).contains(text[end]) {
      value = value * 8 + Int(text[end] - 0x30)
      end += 1
    }
    return (nextStep(UInt8(truncatingIfNeeded: value)), end - position)
  }

  private static func unicode(_ text: UnsafeBufferPointer<UInt8>, _ position: Int) -> (Unicode.Scalar?, Int) {
    let (unit, length) = hex(text, position + 2)
    guard length > 0 else { return (nil, 2) }
    let end = position + 2 + length
    guard UTF16.isLeadSurrogate(unit) else { return (Unicode.Scalar(unit), length + 2) }
    guard end + 1 < text.count, text[end] == 0x5c, text[end + 1] == 0x55 else { return (nil, length + 2) }
    let (trail, trailLength) = hex(text, end + 2)
    guard trailLength == 4, UTF16.isTrailSurrogate(trail) else { return (nil, length + 2) }
    let value = 0x10000 + (UInt32(unit) - 0xd800) << 10 + (UInt32(trail) - 0xdc00)
    return (Unicode.Scalar(value), length + 2 + 6)
  }

  /// Up to four hexadecimal digits.
  private static func hex(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> (UInt16, Int) {
    var value: UInt16 = 0
    var end = start
    while end < text.count, end < start + 4, let digit = Character(Unicode.Scalar(text[end])).hexDigitValue {
      value = value << 4 | UInt16(digit)
      end += 1
    }
    return (value, end - start)
  }

  /// The character that NeXTSTEP's set has at a place (the Unicode consortium's mapping `NEXTSTEP.TXT`).
  private static func nextStep(_ byte: UInt8) -> Unicode.Scalar {
    byte < 0x80 ? Unicode.Scalar(byte) : Unicode.Scalar(upper[Int(byte) - 0x80]) ?? "\u{fffd}"
  }

  private static let upper: [UInt16] = [
    0x00a0, 0x00c0, 0x00c1, 0x00c2, 0x00c3, 0x00c4, 0x00c5, 0x00c7, 0x00c8, 0x00c9, 0x00ca, 0x00cb, 0x00cc, 0x00cd,
    0x00ce, 0x00cf, 0x00d0, 0x00d1, 0x00d2, 0x00d3, 0x00d4, 0x00d5, 0x00d6, 0x00d9, 0x00da, 0x00db, 0x00dc, 0x00dd,
    0x00de, 0x00b5, 0x00d7, 0x00f7, 0x00a9, 0x00a1, 0x00a2, 0x00a3, 0x2044, 0x00a5, 0x0192, 0x00a7, 0x00a4, 0x2019,
    0x201c, 0x00ab, 0x2039, 0x203a, 0xfb01, 0xfb02, 0x00ae, 0x2013, 0x2020, 0x2021, 0x00b7, 0x00a6, 0x00b6, 0x2022,
    0x201a, 0x201e, 0x201d, 0x00bb, 0x2026, 0x2030, 0x00ac, 0x00bf, 0x00b9, 0x02cb, 0x00b4, 0x02c6, 0x02dc, 0x00af,
    0x02d8, 0x02d9, 0x00a8, 0x00b2, 0x02da, 0x00b8, 0x00b3, 0x02dd, 0x02db, 0x02c7, 0x2014, 0x00b1, 0x00bc, 0x00bd,
    0x00be, 0x00e0, 0x00e1, 0x00e2, 0x00e3, 0x00e4, 0x00e5, 0x00e7, 0x00e8, 0x00e9, 0x00ea, 0x00eb, 0x00ec, 0x00c6,
    0x00ed, 0x00aa, 0x00ee, 0x00ef, 0x00f0, 0x00f1, 0x0141, 0x00d8, 0x0152, 0x00ba, 0x00f2, 0x00f3, 0x00f4, 0x00f5,
    0x00f6, 0x00e6, 0x00f9, 0x00fa, 0x00fb, 0x0131, 0x00fc, 0x00fd, 0x0142, 0x00f8, 0x0153, 0x00df, 0x00fe, 0x00ff,
    0xfffd, 0xfffd,
  ]
}
