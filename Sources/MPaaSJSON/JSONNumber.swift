package import MPaaSSupport

/// A JSON number with its digits as they were written.
///
/// Two are equal where their values are, compared exactly: `1`, `1.0` and `10e-1` are one number, and so are no two that
/// `Double` would round to the same value.
package struct JSONNumber: Sendable {
  /// The digits, as RFC 8259 section 6 writes them.
  package let text: String
  /// False where a fraction or an exponent stands, even if the value is whole.
  package let isWhole: Bool

  /// Reads a number; nil for a text that RFC 8259 section 6 does not know, and for one beyond the range of `Double`.
  package init?(_ text: String) {
    guard let shape = Shape(text.utf8), shape.isSmall || Double(text)?.isFinite == true else { return nil }
    self.text = text
    isWhole = shape.isWhole
  }

  /// Tells whether a byte may stand in a number.
  static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// The form of a number as RFC 8259 section 6 has it.
  private struct Shape {
    var isWhole = true
    /// True where `Double` surely reaches so far.
    var isSmall: Bool

    init?(_ bytes: String.UTF8View) {
      var rest = bytes[...]
      isSmall = bytes.count < 300
      if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      if rest.first == UInt8(ascii: "0") {
        rest.removeFirst()
      } else {
        guard Self.digits(&rest) else { return nil }
      }
      if rest.first == UInt8(ascii: ".") {
        isWhole = false
        rest.removeFirst()
        guard Self.digits(&rest) else { return nil }
      }
      if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
        (isWhole, isSmall) = (false, false)
        rest.removeFirst()
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        guard Self.digits(&rest) else { return nil }
      }
      guard rest.isEmpty else { return nil }
    }

    /// Takes digits; false where there is none.
    private static func digits(_ rest: inout Substring.UTF8View) -> Bool {
      let count = rest.count
      while let byte = rest.first, byte &- 0x30 < 10 { rest.removeFirst() }
      return rest.count < count
    }
  }

  package init(_ value: some BinaryInteger) {
    text = String(value)
    isWhole = true
  }

  /// The shortest digits that read as the value; nil where it is not finite.
  package init?(_ value: Double) {
    guard value.isFinite else { return nil }
    self.init("\(value)")
  }

  package var double: Double { Double(text) ?? 0 }

  /// The value as a whole number, however it was written; nil for another, or one that does not fit.
  package func integer<Whole: FixedWidthInteger>(_ type: Whole.Type) -> Whole? {
    if isWhole { return Whole(text) }
    return value.integer(type)
  }

  /// The value as 64 bits hold it: a whole one as an integer, another rounded to the nearest `Double`.
  package var value: JSONValue {
    if isWhole {
      if let value = UInt64(text) { return JSONValue(value) }
      if let value = Int64(text), value < 0 { return JSONValue(value) }
    }
    return JSONValue(double) ?? .null
  }
}

// MARK: Exact values

extension JSONNumber {
  /// 0.d₁d₂d₃… × 10^exponent, without zeros at either end; zero has no digits.
  private struct Decimal: Equatable, Hashable {
    var isNegative = false
    var digits: [UInt8] = []
    var exponent = 0

    var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

    /// Compares the distances to zero of two numbers of one sign.
    func isNearerToZero(than other: Decimal) -> Bool {
      guard exponent == other.exponent else { return exponent < other.exponent }
      return digits.lexicographicallyPrecedes(other.digits)
    }
  }

  private var decimal: Decimal {
    var result = Decimal()
    var (point, written) = (0, 0)
    var (isBehindPoint, isExponent) = (false, false)
    var exponentDigits = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "."): isBehindPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): isExponent = true
      case _ where isExponent: exponentDigits.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "-"): result.isNegative = true
      default:
        if !isBehindPoint { point += 1 }
        if byte != UInt8(ascii: "0") || !result.digits.isEmpty { result.digits.append(byte) } else { written += 1 }
      }
    }
    while result.digits.last == UInt8(ascii: "0") { result.digits.removeLast() }
    guard !result.digits.isEmpty else { return Decimal() }
    // An exponent that no Int holds belongs to a number that Double takes for zero.
    let exponent = Int(exponentDigits) ?? (exponentDigits.isEmpty ? 0 : Int.min / 4)
    result.exponent = exponent.addingReportingOverflow(point - written).partialValue
    return result
  }
}

extension JSONNumber: Hashable, Comparable {
  package static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.text == right.text || left.decimal == right.decimal
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(decimal) }

  package static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    let (left, right) = (left.decimal, right.decimal)
    let (leftSign, rightSign) = (left.sign, right.sign)
    guard leftSign == rightSign else { return leftSign < rightSign }
    return leftSign < 0 ? right.isNearerToZero(than: left) : left.isNearerToZero(than: right)
  }
}

extension JSONNumber: CustomStringConvertible {
  package var description: String { text }
}
