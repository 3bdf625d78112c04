/// A value as it is stored, with its kind.
public enum StoredValue: Sendable, Equatable {
  /// A whole number.
  case integer(Int64)
  /// Yes or no.
  case bool(Bool)
  /// A number with a fraction.
  case double(Double)
  /// A text.
  case string(String)
  /// Bytes.
  case data([UInt8])
  /// A binary property list.
  case propertyList([UInt8])
  /// The archive that `NSKeyedArchiver` makes.
  case archive([UInt8])
  /// A JSON document.
  case json([UInt8])
  /// A value of a `Codable` type, as JSON.
  case codable([UInt8])

  package var kind: ValueKind {
    switch self {
    case .integer: .integer
    case .bool: .bool
    case .double: .double
    case .string: .string
    case .data: .data
    case .propertyList: .propertyList
    case .archive: .archive
    case .json: .json
    case .codable: .codable
    }
  }

  /// The bytes that a record has of it.
  package var bytes: [UInt8] {
    switch self {
    case .integer(let value): withUnsafeBytes(of: value.littleEndian) { Array($0) }
    case .bool(let value): [value ? 1 : 0]
    case .double(let value): withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    case .string(let value): Array(value.utf8)
    case .data(let value), .propertyList(let value), .archive(let value), .json(let value), .codable(let value): value
    }
  }

  /// Reads a record's value; nil where the bytes are none of the kind.
  package init?(_ kind: ValueKind, _ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case .integer:
      guard bytes.count == 8 else { return nil }
      self = .integer(bytes.number(0))
    case .double:
      guard bytes.count == 8 else { return nil }
      self = .double(Double(bitPattern: bytes.number(0)))
    case .bool:
      guard bytes.count == 1 else { return nil }
      self = .bool(bytes[0] != 0)
    case .string: self = .string(String(decoding: bytes, as: UTF8.self))
    case .data: self = .data(Array(bytes))
    case .propertyList: self = .propertyList(Array(bytes))
    case .archive: self = .archive(Array(bytes))
    case .json: self = .json(Array(bytes))
    case .codable: self = .codable(Array(bytes))
    }
  }
}
