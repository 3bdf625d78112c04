import MPaaSJSON

/// A number as whole digits times a power of ten, without a sign.
struct ExactDecimal {
  /// From the highest, without zeros at either end; none for zero.
  private var digits: [UInt8] = []
  private var exponent = 0
  private let double: Double

  init(_ number: JSONNumber) {
    double = number.double
    var (behind, isBehind, isExponent) = (0, false, false)
    var written = ""
    for byte in number.text.utf8 {
      switch byte {
      case UInt8(ascii: "."): isBehind = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): isExponent = true
      case _ where isExponent: written.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "-"): break
      default:
        if isBehind { behind += 1 }
        if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte - UInt8(ascii: "0")) }
      }
    }
    exponent = (Int(written) ?? 0) - behind
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
  }

  var isWhole: Bool { digits.isEmpty || exponent >= 0 }

  /// Tells whether the number is a whole number of times `divisor`, exactly.
  func isMultiple(of divisor: ExactDecimal) -> Bool {
    guard !digits.isEmpty else { return true }
    guard !divisor.digits.isEmpty else { return false }
    // Ten does not divide the row of digits, so that nothing with more zeros behind its own divides it.
    guard exponent >= divisor.exponent else { return false }
    guard let modulus = divisor.word else { return double.remainder(dividingBy: divisor.double) == 0 }
    var rest: UInt64 = 0
    for digit in digits { rest = Self.sum(Self.product(rest, 10, modulus), UInt64(digit) % modulus, modulus) }
    return Self.product(rest, Self.power(exponent - divisor.exponent, modulus), modulus) == 0
  }

  private var word: UInt64? {
    guard digits.count <= 19 else { return nil }
    return digits.reduce(into: UInt64(0) as UInt64?) { sum, digit in
      guard let value = sum else { return }
      let (product, high) = value.multipliedReportingOverflow(by: 10)
      let (total, carry) = product.addingReportingOverflow(UInt64(digit))
      sum = high || carry ? nil : total
    }
  }

  private static func sum(_ left: UInt64, _ right: UInt64, _ modulus: UInt64) -> UInt64 {
    let (sum, carry) = left.addingReportingOverflow(right)
    return carry ? sum &- modulus : sum % modulus
  }

  private static func product(_ left: UInt64, _ right: UInt64, _ modulus: UInt64) -> UInt64 {
    let (high, low) = (left % modulus).multipliedFullWidth(by: right % modulus)
    return modulus.dividingFullWidth((high, low)).remainder
  }

  private static func power(_ exponent: Int, _ modulus: UInt64) -> UInt64 {
    var (result, base, rest) = (1 % modulus, 10 % modulus, exponent)
    while rest > 0 {
      if rest & 1 == 1 { result = product(result, base, modulus) }
      base = product(base, base, modulus)
      rest >>= 1
    }
    return result
  }
}
