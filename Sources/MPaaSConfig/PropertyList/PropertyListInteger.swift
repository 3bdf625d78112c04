/// A whole number of 128 bits with a sign, as binary property lists hold it; formats of text hold -2^63 to 2^64 - 1.
///
/// It stands for `Int128`, which iOS has only since 18.
package struct PropertyListInteger: Sendable, Hashable {
  let high: Int64
  let low: UInt64

  /// Creates a number of its two halves.
  init(high: Int64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Creates a number of at most 64 bits.
  package init(_ number: some FixedWidthInteger) {
    precondition(number.bitWidth <= 64)
    self.init(high: number < 0 ? -1 : 0, low: UInt64(truncatingIfNeeded: number))
  }

  /// Creates the number of a size that lies on the other side of zero.
  init(minus size: UInt64) { self.init(high: size == 0 ? 0 : -1, low: 0 &- size) }

  private var isNegative: Bool { high < 0 }

  /// The distance from zero.
  private var magnitude: (high: UInt64, low: UInt64) {
    let bits = UInt64(bitPattern: high)
    return isNegative ? (~bits &+ (low == 0 ? 1 : 0), 0 &- low) : (bits, low)
  }
}

extension PropertyListInteger: Comparable {
  package static func < (left: PropertyListInteger, right: PropertyListInteger) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

extension PropertyListInteger: CustomStringConvertible {
  /// In decimal digits.
  package var description: String {
    var (high, low) = magnitude
    guard high > 0 else { return (isNegative ? "-" : "") + String(low) }
    // Eighteen digits at a time, from the end.
    let unit: UInt64 = 1_000_000_000_000_000_000
    var groups: [String] = []
    while high > 0 {
      let (quotient, rest) = high.quotientAndRemainder(dividingBy: unit)
      high = quotient
      let digits: UInt64
      (low, digits) = unit.dividingFullWidth((rest, low))
      let text = String(digits)
      groups.append(String(repeating: "0", count: 18 - text.count) + text)
    }
    return (isNegative ? "-" : "") + (low == 0 ? "" : String(low)) + groups.reversed().joined()
  }
}

extension Int64 {
  /// The same number; nil where it takes more bits.
  package init?(exactly number: PropertyListInteger) {
    self.init(truncatingIfNeeded: number.low)
    guard number.high == self >> 63 else { return nil }
  }
}

extension Int {
  /// The same number; nil where it takes more bits.
  package init?(exactly number: PropertyListInteger) {
    guard let number = Int64(exactly: number) else { return nil }
    self.init(exactly: number)
  }
}

extension UInt64 {
  /// The same number; nil where it is negative or takes more bits.
  package init?(exactly number: PropertyListInteger) {
    guard number.high == 0 else { return nil }
    self = number.low
  }
}

extension Double {
  /// The nearest number.
  package init(_ number: PropertyListInteger) {
    if let small = Int64(exactly: number) {
      self.init(small)
    } else if let small = UInt64(exactly: number) {
      self.init(small)
    } else {
      self = Double("\(number)") ?? .nan
    }
  }
}
