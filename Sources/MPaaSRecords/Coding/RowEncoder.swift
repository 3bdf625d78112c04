import MPaaSSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A member of a `Codable` value as a column.
struct EncodedField {
  let name: String
  /// The type that a table declares for it.
  let type: ColumnType
  let value: DatabaseValue
  let isOptional: Bool
  /// The member's own type, by which records among them are known.
  let memberType: any Any.Type
  /// The member itself; nil where it has no value.
  let member: Any?
}

/// Takes the members of a value apart, each for the column of its name.
final class RowEncoder: Encoder {
  /// The members so far; of those with one name the last one counts.
  fileprivate(set) var fields: [EncodedField] = []
  /// Tells types whose members are no columns.
  fileprivate let isNested: (any Any.Type) -> Bool
  fileprivate var failure: (any Error)?
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  private init(isNested: @escaping (any Any.Type) -> Bool) { self.isNested = isNested }

  /// The columns of a value.
  ///
  /// - Throws: `row-column` where a member cannot be stored.
  static func fields(
    of value: some Encodable, isNested: @escaping (any Any.Type) -> Bool = { _ in false }
  ) throws(DatabaseError) -> [EncodedField] {
    let encoder = RowEncoder(isNested: isNested)
    do {
      try value.encode(to: encoder)
    } catch {
      let path = (error as? EncodingError).map(EncodingFault.init)?.path ?? ""
      throw DatabaseError(.column, ["column": path, "type": "\(type(of: value))", "found": "\(error)"])
    }
    return encoder.fields
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RowFields<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { LostFields() }

  func singleValueContainer() -> any SingleValueEncodingContainer { LostFields() }

  func add(_ field: EncodedField) {
    fields.removeAll { $0.name == field.name }
    fields.append(field)
  }

  /// The value of a member as its column has it: what is a single value as it is, others as JSON.
  static func column(_ value: some Encodable) throws -> DatabaseValue {
    if let convertible = value as? any DatabaseValueConvertible { return convertible.databaseValue }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = Array(try encoder.encode(value))
    let json = try bytes.withUnsafeBytes { try JSONValue(reading: $0) }
    switch json {
    case .null: return .null
    case .bool(let flag): return flag.databaseValue
    case .unsigned, .negative:
      guard let number = json.integer(Int64.self) else {
        throw EncodingError.invalidValue(value, EncodingError.Context(codingPath: [], debugDescription: "too large"))
      }
      return .integer(number)
    case .number(let number): return .real(number)
    case .string(let text): return .text(text)
    case .array, .object: return .text(String(decoding: bytes, as: UTF8.self))
    }
  }
}

/// The member that an encoding error is about.
private struct EncodingFault {
  let path: String

  init(_ error: EncodingError) {
    guard case .invalidValue(_, let context) = error else {
      path = ""
      return
    }
    path = context.codingPath.map(\.stringValue).joined(separator: ".")
  }
}

/// Takes members by their keys.
private struct RowFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: RowEncoder
  var codingPath: [any CodingKey] { [] }

  mutating func encodeNil(forKey key: Key) throws {
    add(Optional<Int>.self, .blob, .null, nil, isOptional: true, key)
  }

  mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try take(value, isOptional: false, key)
  }

  private func take<Value: Encodable>(_ value: Value, isOptional: Bool, _ key: Key) throws {
    guard !encoder.isNested(Value.self) else {
      return add(Value.self, .blob, .null, value, isOptional: isOptional, key)
    }
    do {
      let column = try RowEncoder.column(value)
      add(Value.self, Self.type(Value.self, column), column, value, isOptional: isOptional, key)
    } catch let EncodingError.invalidValue(value, context) {
      let place = EncodingError.Context(
        codingPath: [key] + context.codingPath, debugDescription: context.debugDescription)
      throw EncodingError.invalidValue(value, place)
    }
  }

  private mutating func takeOptional<Value: Encodable>(_ value: Value?, _ key: Key) throws {
    guard let value else { return add(Value.self, Self.type(Value.self, .null), .null, nil, isOptional: true, key) }
    try take(value, isOptional: true, key)
  }

  /// The type of a column: the member's, or that of its value; columns of type BLOB keep any value as it is.
  private static func type(_ type: any Any.Type, _ value: DatabaseValue) -> ColumnType {
    if let convertible = type as? any DatabaseValueConvertible.Type { return convertible.columnType }
    if type is any (FixedWidthInteger & UnsignedInteger).Type { return .integer }
    switch value {
    case .integer: return .integer
    case .text: return .text
    default: return .blob
    }
  }

  private func add(
    _ type: any Any.Type, _ column: ColumnType, _ value: DatabaseValue, _ member: Any?, isOptional: Bool, _ key: Key
  ) {
    encoder.add(
      EncodedField(
        name: key.stringValue, type: column, value: value, isOptional: isOptional, memberType: type, member: member))
  }

  mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try takeOptional(value, key) }

  mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try takeOptional(value, key) }

  mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try takeOptional(value, key) }

  mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try takeOptional(value, key) }

  mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try takeOptional(value, key) }

  mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try takeOptional(value, key) }

  mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try takeOptional(value, key) }

  mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try takeOptional(value, key) }

  mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try takeOptional(value, key) }

  mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try takeOptional(value, key) }

  mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try takeOptional(value, key) }

  mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try takeOptional(value, key) }

  mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try takeOptional(value, key) }

  mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try takeOptional(value, key) }

  mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    try takeOptional(value, key)
  }

  func nestedContainer<Other: CodingKey>(
    keyedBy type: Other.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Other> {
    KeyedEncodingContainer(LostMembers<Other>())
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { LostFields() }

  func superEncoder() -> any Encoder { encoder }

  func superEncoder(forKey key: Key) -> any Encoder { encoder }
}
