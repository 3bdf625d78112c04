import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads a value of a `Codable` type from one column: what the type keeps in a single value as it is, others as JSON.
struct ColumnDecoder: Decoder {
  /// The signal that a type has parts, which a column only has as JSON.
  private struct HasParts: Error {}

  let value: DatabaseValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// The value of a column as a type.
  ///
  /// - Throws: `DecodingError` where it is none.
  static func decode<Value: Decodable>(
    _ type: Value.Type, _ value: DatabaseValue, _ path: [any CodingKey]
  ) throws -> Value {
    if let convertible = type as? any DatabaseValueConvertible.Type {
      guard let found = convertible.init(databaseValue: value) as? Value else {
        throw mismatch(type, value, path)
      }
      return found
    }
    do {
      return try Value(from: ColumnDecoder(value: value, codingPath: path))
    } catch is HasParts {
      guard case .text(let text) = value else { throw mismatch(type, value, path) }
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    }
  }

  /// The whole number of a column as an unsigned type, which SQLite has none of.
  static func unsigned<Value: FixedWidthInteger>(
    _ value: DatabaseValue, _ path: [any CodingKey]
  ) throws -> Value {
    guard case .integer(let number) = value, let found = Value(exactly: number) else {
      throw mismatch(Value.self, value, path)
    }
    return found
  }

  static func mismatch(_ type: any Any.Type, _ value: DatabaseValue, _ path: [any CodingKey]) -> DecodingError {
    DecodingError.typeMismatch(type, DecodingError.Context(codingPath: path, debugDescription: value.kind))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw HasParts() }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw HasParts() }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension ColumnDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Self.decode(type, value, codingPath) }

  func decode(_ type: UInt.Type) throws -> UInt { try Self.unsigned(value, codingPath) }

  func decode(_ type: UInt8.Type) throws -> UInt8 { try Self.unsigned(value, codingPath) }

  func decode(_ type: UInt16.Type) throws -> UInt16 { try Self.unsigned(value, codingPath) }

  func decode(_ type: UInt32.Type) throws -> UInt32 { try Self.unsigned(value, codingPath) }

  func decode(_ type: UInt64.Type) throws -> UInt64 { try Self.unsigned(value, codingPath) }
}
