/// Decimal numbers as text, read without the rounding of doubles.
enum DecimalText {
  /// The number times ten to the power of `scale`, rounded to the nearest whole number, halves away from zero.
  ///
  /// - Returns: nil for what is no number of JSON's form, or does not fit.
  static func scaled(_ text: UnsafeRawBufferPointer, by scale: Int) -> Int64? {
    var place = 0
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative { place = 1 }
    var value: UInt64 = 0
    // Digits behind the point that have been taken; -1 before the point.
    var fraction = -1
    var isRoundedUp = false
    var digits = 0
    while place < text.count {
      let byte = text[place]
      if byte == UInt8(ascii: "."), fraction < 0 {
        fraction = 0
      } else if byte &- 0x30 < 10 {
        digits += 1
        if fraction < 0 || fraction < scale {
          guard let next = shifted(value, UInt64(byte &- 0x30)) else { return nil }
          value = next
          if fraction >= 0 { fraction += 1 }
        } else if fraction == scale {
          isRoundedUp = byte >= UInt8(ascii: "5")
          fraction += 1
        }
      } else {
        return byte | 0x20 == UInt8(ascii: "e") ? exponential(text, scale) : nil
      }
      place += 1
    }
    guard digits > 0 else { return nil }
    for _ in 0..<max(scale - max(fraction, 0), 0) {
      guard let next = shifted(value, 0) else { return nil }
      value = next
    }
    if isRoundedUp { value += 1 }
    guard value <= UInt64(Int64.max) else { return nil }
    return isNegative ? -Int64(value) : Int64(value)
  }

  @inline(__always)
  private static func shifted(_ value: UInt64, _ digit: UInt64) -> UInt64? {
    let (product, high) = value.multipliedReportingOverflow(by: 10)
    let (sum, carry) = product.addingReportingOverflow(digit)
    return high || carry || sum > UInt64(Int64.max) ? nil : sum
  }

  private static func exponential(_ text: UnsafeRawBufferPointer, _ scale: Int) -> Int64? {
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
    return Int64(exactly: (0..<scale).reduce(value) { product, _ in product * 10 }.rounded())
  }
}
