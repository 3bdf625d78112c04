package import MPaaSJSON

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A decimal number with its digits as they were written: `9.45` stays `9.45`, both ways.
///
/// Two are equal where their values are: `1`, `1.0` and `10e-1` are one number.
public struct RPCDecimal: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let number: JSONNumber

  package init(_ number: JSONNumber) { self.number = number }

  /// Reads a number as JSON writes it; nil for another text, and for one beyond the range of `Double`.
  ///
  /// - Source: RFC 8259, section 6.
  public init?(_ text: String) {
    guard let number = JSONNumber(text) else { return nil }
    self.number = number
  }

  /// Makes the decimal number of a whole one.
  public init(_ value: some BinaryInteger) { number = JSONNumber(value) }

  /// Makes the decimal number of one of Foundation; nil where that is none.
  public init?(_ value: Decimal) { self.init("\(value)") }

  /// The digits: `9.45`.
  public var description: String { number.text }
  /// The nearest number of 64 bits.
  public var double: Double { number.double }
  /// The value as a whole number; nil where it has a fraction, or does not fit.
  public var integer: Int? { number.integer(Int.self) }
  /// Foundation's decimal number; nil where it has not so many digits.
  public var decimal: Decimal? { Decimal(string: number.text) }

  /// Compares the values, exactly.
  public static func < (left: RPCDecimal, right: RPCDecimal) -> Bool { left.number < right.number }
}

extension RPCDecimal: ExpressibleByIntegerLiteral {
  /// Makes the decimal number of a whole one.
  public init(integerLiteral value: Int) { self.init(value) }
}

extension RPCDecimal: Codable {
  /// Reads a number; exactly from answers of calls, else as exactly as the decoder knows it.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let number = JSONNumber("\(try container.decode(Decimal.self))") else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a number")
    }
    self.number = number
  }

  /// Writes a number; exactly into arguments of calls, else as exactly as the encoder can.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    guard let decimal else { return try container.encode(double) }
    try container.encode(decimal)
  }
}
