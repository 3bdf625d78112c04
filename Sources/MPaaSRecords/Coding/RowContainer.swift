/// The columns of a row as the members of a `Codable` type.
struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: Row
  let nested: RowDecoder.NestedReader?
  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] { row.columns.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { row[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool { row[key.stringValue] == .null }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    if case .value(let found) = try nested?(type, key.stringValue, row[key.stringValue]) {
      guard let value = found as? Value else {
        throw DecodingError.valueNotFound(type, DecodingError.Context(codingPath: [key], debugDescription: ""))
      }
      return value
    }
    return try ColumnDecoder.decode(type, value(key), [key])
  }

  /// Reads a member that may be missing; lists of records have no column by which that could be told.
  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    if case .value(let found) = try nested?(type, key.stringValue, row[key.stringValue]) { return found as? Value }
    guard let value = row[key.stringValue], value != .null else { return nil }
    return try ColumnDecoder.decode(type, value, [key])
  }

  private func value(_ key: Key) throws -> DatabaseValue {
    guard let value = row[key.stringValue] else {
      throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: [], debugDescription: "no column"))
    }
    return value
  }

  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try ColumnDecoder.unsigned(value(key), [key]) }

  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try ColumnDecoder.unsigned(value(key), [key]) }

  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try ColumnDecoder.unsigned(value(key), [key]) }

  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try ColumnDecoder.unsigned(value(key), [key]) }

  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try ColumnDecoder.unsigned(value(key), [key]) }

  func nestedContainer<Other: CodingKey>(
    keyedBy type: Other.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Other> {
    throw ColumnDecoder.mismatch([String: Any].self, try value(key), [key])
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw ColumnDecoder.mismatch([Any].self, try value(key), [key])
  }

  func superDecoder() throws -> any Decoder { RowDecoder(row: row, nested: nested) }

  func superDecoder(forKey key: Key) throws -> any Decoder { ColumnDecoder(value: try value(key), codingPath: [key]) }
}
