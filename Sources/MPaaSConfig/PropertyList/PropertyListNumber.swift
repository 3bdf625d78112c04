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
  static func integer(_ text: UnsafeBufferPointer<UInt8>) -> PropertyListInteger? {
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
    guard isNegative else { return PropertyListInteger(size) }
    return size <= Int64.min.magnitude ? PropertyListInteger(minus: size) : nil
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
  static func text(_ number: PropertyListInteger) -> String? {
    if let small = Int(exactly: number) { return String(small) }
    return UInt64(exactly: number).map { String($0) }
  }

  static func text(_ number: Double) -> String {
    number.isNaN ? "nan" : number.isInfinite ? (number < 0 ? "-infinity" : "+infinity") : number.description
  }
}
