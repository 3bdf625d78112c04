/// A number in an expression: whole as long as it fits into 64 bits.
package enum DAONumber: Sendable, Hashable {
  case integer(Int64)
  case real(Double)

  /// Reads a decimal number; nil where the text is anything else.
  package init?(_ text: String) {
    guard let first = text.utf8.first, first < 0x3a, text.utf8.allSatisfy(Self.isPart) else { return nil }
    if let whole = Int64(text) {
      self = .integer(whole)
    } else if let real = Double(text), real.isFinite {
      self = .real(real)
    } else {
      return nil
    }
  }

  /// Tells whether a byte stands in decimal numbers: a digit, a sign, a point or the letter of an exponent.
  private static func isPart(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: ".")
      || byte | 0x20 == UInt8(ascii: "e")
  }

  package var real: Double {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    }
  }

  package var value: DAOValue {
    switch self {
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    }
  }

  package var isZero: Bool { real == 0 }

  package static func < (left: DAONumber, right: DAONumber) -> Bool {
    if case .integer(let one) = left, case .integer(let other) = right { return one < other }
    return left.real < right.real
  }

  package static func == (left: DAONumber, right: DAONumber) -> Bool {
    if case .integer(let one) = left, case .integer(let other) = right { return one == other }
    return left.real == right.real
  }
}
