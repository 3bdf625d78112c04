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

  /// The number that begins at a place, times ten to the power of `scale`, and the place behind it: of those with few
  /// digits and no exponent, followed by a comma or a bracket.
  ///
  /// - Returns: nil for all others, also for what is no number.
  @inline(__always)
  static func short(_ text: UnsafeRawBufferPointer, from start: Int, by scale: Int) -> (value: Int64, end: Int)? {
    let end = min(text.count, start &+ 16)
    var place = start
    var value: Int64 = 0
    while place < end, text[place] &- 0x30 < 10 {
      value = value &* 10 &+ Int64(text[place] &- 0x30)
      place &+= 1
    }
    // A number has one 0 at its beginning at most.
    guard place > start, text[start] != 0x30 || place == start &+ 1 else { return nil }
    var digits = 0
    if place < end, text[place] == UInt8(ascii: ".") {
      place &+= 1
      while place < end, digits < scale, text[place] &- 0x30 < 10 {
        value = value &* 10 &+ Int64(text[place] &- 0x30)
        place &+= 1
        digits &+= 1
      }
      if digits == 0 { return nil }
    }
    guard place < end else { return nil }
    let next = text[place]
    guard next == UInt8(ascii: ",") || next == UInt8(ascii: "}") || next == UInt8(ascii: "]") else { return nil }
    // 15 digits and at most nine places fit.
    guard value < 1_000_000_000 || scale == digits || place &- start &+ scale &- digits < 18 else { return nil }
    while digits < scale {
      value = value &* 10
      digits &+= 1
    }
    return (value, place)
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
