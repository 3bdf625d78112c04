#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Makes a blank value of a `Codable` type: 0, "", no bytes, nil, no elements, and the first case of an enumeration.
///
/// The members of a type are found so, and the values of columns that are added to a table which has rows.
struct BlankDecoder: Decoder {
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// A blank value.
  ///
  /// - Throws: `DecodingError` where a type wants more than that, as an enumeration that does not list its cases.
  static func blank<Value: Decodable>(_ type: Value.Type, _ path: [any CodingKey] = []) throws -> Value {
    if let value = try known(type) as? Value { return value }
    if let type = type as? any CaseIterable.Type, let value = firstCase(type) as? Value { return value }
    return try Value(from: BlankDecoder(codingPath: path))
  }

  private static func known(_ type: any Any.Type) throws -> Any? {
    switch type {
    case is Date.Type: Date(timeIntervalSince1970: 0)
    case is Data.Type: Data()
    case is UUID.Type: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    case is URL.Type: URL(string: "about:blank")
    case is Decimal.Type: Decimal(0)
    default: nil
    }
  }

  private static func firstCase<Value: CaseIterable>(_ type: Value.Type) -> Any? { type.allCases.first }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(BlankMembers<Key>(codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { BlankElements(codingPath: codingPath) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { BlankValue(codingPath: codingPath) }
}

/// Blank members of any name.
private struct BlankMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let codingPath: [any CodingKey]
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { true }

  func decodeNil(forKey key: Key) throws -> Bool { true }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try BlankDecoder.blank(type, codingPath + [key])
  }

  func nestedContainer<Other: CodingKey>(
    keyedBy type: Other.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Other> {
    KeyedDecodingContainer(BlankMembers<Other>(codingPath: codingPath + [key]))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    BlankElements(codingPath: codingPath + [key])
  }

  func superDecoder() throws -> any Decoder { BlankDecoder(codingPath: codingPath) }

  func superDecoder(forKey key: Key) throws -> any Decoder { BlankDecoder(codingPath: codingPath + [key]) }
}

/// No elements.
private struct BlankElements: UnkeyedDecodingContainer {
  let codingPath: [any CodingKey]
  var count: Int? { 0 }
  var isAtEnd: Bool { true }
  var currentIndex: Int { 0 }

  mutating func decodeNil() throws -> Bool { true }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try BlankDecoder.blank(type, codingPath)
  }

  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(BlankMembers<Key>(codingPath: codingPath))
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { self }

  mutating func superDecoder() throws -> any Decoder { BlankDecoder(codingPath: codingPath) }
}

/// A blank single value.
private struct BlankValue: SingleValueDecodingContainer {
  let codingPath: [any CodingKey]

  func decodeNil() -> Bool { true }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try BlankDecoder.blank(type, codingPath) }

  func decode(_ type: Bool.Type) throws -> Bool { false }
  func decode(_ type: String.Type) throws -> String { "" }
  func decode(_ type: Double.Type) throws -> Double { 0 }
  func decode(_ type: Float.Type) throws -> Float { 0 }
  func decode(_ type: Int.Type) throws -> Int { 0 }
  func decode(_ type: Int8.Type) throws -> Int8 { 0 }
  func decode(_ type: Int16.Type) throws -> Int16 { 0 }
  func decode(_ type: Int32.Type) throws -> Int32 { 0 }
  func decode(_ type: Int64.Type) throws -> Int64 { 0 }
  func decode(_ type: UInt.Type) throws -> UInt { 0 }
  func decode(_ type: UInt8.Type) throws -> UInt8 { 0 }
  func decode(_ type: UInt16.Type) throws -> UInt16 { 0 }
  func decode(_ type: UInt32.Type) throws -> UInt32 { 0 }
  func decode(_ type: UInt64.Type) throws -> UInt64 { 0 }
}
