/// Numbers as text property lists write them.
enum PropertyListNumber {
  @inline(__always)
  static func trimmed(_ text: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var start = 0
    var end = text.count
    while start < end, PropertyListMarkup.isBlank(text[start]) { start += 1 }
    while end > start, PropertyListMarkup.isBlank(text[end - 1]) { end -= 1 }
    return UnsafeBufferPointer(rebasing: text[start..<end])
  }

  /// Decimal, or with `0x`, between -2^63 and 2^64 - 1.
  static func integer(_ text: UnsafeBufferPointer<UInt8>) -> Int128? {
    let word = trimmed(text)
    let isNegative = word.first == 0x2d
    var position = isNegative || word.first == 0x2b ? 1 : 0
    let isHex = position + 1 < word.count && word[position] == 0x30 && word[position + 1] | 0x20 == 0x78
    if isHex { position += 2 }
    guard position < word.count else { return nil }
    let radix: UInt64 = isHex ? 16 : 10
    var size: UInt64 = 0
    while position < word.count {
      guard let digit = digit(word[position]), digit < radix else { return nil }
      let (product, isHigh) = size.multipliedReportingOverflow(by: radix)
      let (sum, carries) = product.addingReportingOverflow(digit)
      guard !isHigh, !carries else { return nil }
      size = sum
      position += 1
    }
    let number = isNegative ? -Int128(size) : Int128(size)
    return number >= Int128(Int64.min) ? number : nil
  }

  @inline(__always)
  private static func digit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case 0x30...0x39: UInt64(byte - 0x30)
    case 0x61...0x66: UInt64(byte - 0x61 + 10)
    case 0x41...0x46: UInt64(byte - 0x41 + 10)
    default: nil
    }
  }

  static func real(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
    let bytes = trimmed(text)
    let word = String(decoding: bytes, as: UTF8.self)
    let isPlain = bytes.allSatisfy {
      (0x30...0x39).contains($0) || $0 == 0x2b || $0 == 0x2d || $0 == 0x2e || $0 | 0x20 == 0x65
    }
    if isPlain { return Double(word) }
    switch word.lowercased() {
    case "nan", "+nan", "-nan": return .nan
    case "inf", "+inf", "infinity", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: return nil
    }
  }
}

extension PropertyListNumber {
  /// As text formats write it; nil outside what they hold.
  static func text(_ number: Int128) -> String? {
    if let small = Int(exactly: number) { return String(small) }
    return UInt64(exactly: number).map { String($0) }
  }

  static func text(_ number: Double) -> String {
    number.isNaN ? "nan" : number.isInfinite ? (number < 0 ? "-infinity" : "+infinity") : number.description
  }
}

/// Data as property lists write it: base64 (RFC 4648, section 4) with blanks anywhere; the padding may be missing.
enum Base64Text {
  /// The value of each byte; 64: none, 65: a blank, 66: padding.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 64, count: 256)
    for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
    for blank in [0x20, 0x09, 0x0a, 0x0d] { values[blank] = 65 }
    values[0x3d] = 66
    return values
  }()

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func decode(_ text: [UInt8]) -> [UInt8]? { text.withUnsafeBufferPointer { decode($0) } }

  static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var isValid = true
    let bytes = [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3 + 3) { target, filled in
      values.withUnsafeBufferPointer { values in
        var bits: UInt32 = 0
        var count = 0
        var isPadded = false
        for byte in text {
          let value = values[Int(byte)]
          if value < 64, !isPadded {
            bits = bits << 6 | UInt32(value)
            count += 1
            if count & 3 == 0 {
              target[filled] = UInt8(truncatingIfNeeded: bits >> 16)
              target[filled + 1] = UInt8(truncatingIfNeeded: bits >> 8)
              target[filled + 2] = UInt8(truncatingIfNeeded: bits)
              filled += 3
            }
          } else if value == 66 {
            isPadded = true
          } else if value != 65 {
            isValid = false
            return
          }
        }
        switch count & 3 {
        case 1: isValid = false
        case 2:
          target[filled] = UInt8(truncatingIfNeeded: bits >> 4)
          filled += 1
        case 3:
          target[filled] = UInt8(truncatingIfNeeded: bits >> 10)
          target[filled + 1] = UInt8(truncatingIfNeeded: bits >> 2)
          filled += 2
        default: break
        }
      }
    }
    return isValid ? bytes : nil
  }

  static func encode(_ bytes: [UInt8]) -> String {
    String(decoding: digits(bytes[...]), as: UTF8.self)
  }

  /// The digits of some bytes, padded.
  static func digits(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    alphabet.withUnsafeBufferPointer { alphabet in
      bytes.withUnsafeBufferPointer { bytes in
        var index = 0
        while index < bytes.count {
          let left = bytes.count - index
          let second = left > 1 ? UInt32(bytes[index + 1]) : 0
          let third = left > 2 ? UInt32(bytes[index + 2]) : 0
          let bits = UInt32(bytes[index]) << 16 | second << 8 | third
          text.append(alphabet[Int(bits >> 18)])
          text.append(alphabet[Int(bits >> 12 & 63)])
          text.append(left > 1 ? alphabet[Int(bits >> 6 & 63)] : 0x3d)
          text.append(left > 2 ? alphabet[Int(bits & 63)] : 0x3d)
          index += 3
        }
      }
    }
    return text
  }
}
