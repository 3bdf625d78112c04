#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A type whose values are those of one column.
public protocol DatabaseValueConvertible: Sendable {
  /// The type that a table declares for columns of it.
  static var columnType: ColumnType { get }
  /// The value as a column has it.
  var databaseValue: DatabaseValue { get }
  /// Creates the value of a column; nil where the column's is none of the type.
  init?(databaseValue: DatabaseValue)
}

extension DatabaseValue: DatabaseValueConvertible {
  /// The type of columns that may hold anything.
  public static var columnType: ColumnType { .blob }
  /// The value itself.
  public var databaseValue: DatabaseValue { self }
  /// Creates the same value.
  public init?(databaseValue: DatabaseValue) { self = databaseValue }
}

extension DatabaseValueConvertible where Self: FixedWidthInteger & SignedInteger {
  /// Whole numbers.
  public static var columnType: ColumnType { .integer }
  /// The whole number.
  public var databaseValue: DatabaseValue { .integer(Int64(self)) }
  /// Creates a whole number; nil where the value is none, or does not fit.
  public init?(databaseValue: DatabaseValue) {
    switch databaseValue {
    case .integer(let number): self.init(exactly: number)
    case .real(let number): self.init(exactly: number)
    default: return nil
    }
  }
}

extension Int: DatabaseValueConvertible {}
extension Int8: DatabaseValueConvertible {}
extension Int16: DatabaseValueConvertible {}
extension Int32: DatabaseValueConvertible {}
extension Int64: DatabaseValueConvertible {}

extension Bool: DatabaseValueConvertible {
  /// Whole numbers.
  public static var columnType: ColumnType { .integer }
  /// 1 or 0.
  public var databaseValue: DatabaseValue { .integer(self ? 1 : 0) }
  /// Creates yes for a whole number other than 0.
  public init?(databaseValue: DatabaseValue) {
    guard case .integer(let number) = databaseValue else { return nil }
    self = number != 0
  }
}

extension Double: DatabaseValueConvertible {
  /// Numbers with a fraction.
  public static var columnType: ColumnType { .real }
  /// The number; one that is none (NaN) is null.
  public var databaseValue: DatabaseValue { isNaN ? .null : .real(self) }
  /// Creates the number, whole or not.
  public init?(databaseValue: DatabaseValue) {
    switch databaseValue {
    case .real(let number): self = number
    case .integer(let number): self = Double(number)
    default: return nil
    }
  }
}

extension Float: DatabaseValueConvertible {
  /// Numbers with a fraction.
  public static var columnType: ColumnType { .real }
  /// The number; one that is none (NaN) is null.
  public var databaseValue: DatabaseValue { Double(self).databaseValue }
  /// Creates the nearest number.
  public init?(databaseValue: DatabaseValue) {
    guard let number = Double(databaseValue: databaseValue) else { return nil }
    self.init(number)
  }
}

extension String: DatabaseValueConvertible {
  /// Texts.
  public static var columnType: ColumnType { .text }
  /// The text.
  public var databaseValue: DatabaseValue { .text(self) }
  /// Creates the text.
  public init?(databaseValue: DatabaseValue) {
    guard case .text(let text) = databaseValue else { return nil }
    self = text
  }
}

extension [UInt8]: DatabaseValueConvertible {
  /// Bytes.
  public static var columnType: ColumnType { .blob }
  /// The bytes.
  public var databaseValue: DatabaseValue { .blob(self) }
  /// Creates the bytes.
  public init?(databaseValue: DatabaseValue) {
    guard case .blob(let bytes) = databaseValue else { return nil }
    self = bytes
  }
}

extension Data: DatabaseValueConvertible {
  /// Bytes.
  public static var columnType: ColumnType { .blob }
  /// The bytes.
  public var databaseValue: DatabaseValue { .blob(Array(self)) }
  /// Creates the bytes.
  public init?(databaseValue: DatabaseValue) {
    guard let bytes = [UInt8](databaseValue: databaseValue) else { return nil }
    self.init(bytes)
  }
}

extension Date: DatabaseValueConvertible {
  /// Numbers with a fraction.
  public static var columnType: ColumnType { .real }
  /// The seconds since 1970, exact to the microsecond.
  public var databaseValue: DatabaseValue { timeIntervalSince1970.databaseValue }
  /// Creates the time so many seconds since 1970.
  public init?(databaseValue: DatabaseValue) {
    guard let seconds = Double(databaseValue: databaseValue) else { return nil }
    self.init(timeIntervalSince1970: seconds)
  }
}

extension UUID: DatabaseValueConvertible {
  /// Texts.
  public static var columnType: ColumnType { .text }
  /// The 36 characters of its text.
  public var databaseValue: DatabaseValue { .text(uuidString) }
  /// Creates the identifier of a text; nil where it is none.
  public init?(databaseValue: DatabaseValue) {
    guard case .text(let text) = databaseValue else { return nil }
    self.init(uuidString: text)
  }
}

extension URL: DatabaseValueConvertible {
  /// Texts.
  public static var columnType: ColumnType { .text }
  /// The whole address.
  public var databaseValue: DatabaseValue { .text(absoluteString) }
  /// Creates the address of a text; nil where it is none.
  public init?(databaseValue: DatabaseValue) {
    guard case .text(let text) = databaseValue else { return nil }
    self.init(string: text)
  }
}
