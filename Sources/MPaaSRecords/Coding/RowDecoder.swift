/// Reads a value of a `Codable` type from a row, a member from the column of its name.
struct RowDecoder: Decoder {
  /// The answer to the question for a member that is no column, but a record of its own.
  enum Nested {
    case none
    case value(Any?)
  }

  /// Finds a member of a type and name, whose column has a value or is missing.
  typealias NestedReader = (_ type: any Any.Type, _ name: String, _ value: DatabaseValue?) throws -> Nested

  let row: Row
  let nested: NestedReader?
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer<Key>(row: row, nested: nested))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw DecodingError.typeMismatch(
      [Any].self, DecodingError.Context(codingPath: [], debugDescription: "a row has columns"))
  }

  /// The first column, for types that are a single value.
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    ColumnDecoder(value: row.values.first ?? .null, codingPath: [])
  }
}

extension Row {
  /// The row as a value of a type: members by the names of columns, or a single value from the first one.
  ///
  /// - Throws: `row-column` where a column is missing, or its value is none of the member's type.
  public func decoded<Value: Decodable>(_ type: Value.Type) throws(DatabaseError) -> Value {
    try decoded(type, nested: nil)
  }

  func decoded<Value: Decodable>(
    _ type: Value.Type, nested: RowDecoder.NestedReader?
  ) throws(DatabaseError) -> Value {
    do {
      if type is any DatabaseValueConvertible.Type { return try ColumnDecoder.decode(type, values.first ?? .null, []) }
      return try Value(from: RowDecoder(row: self, nested: nested))
    } catch let error as DatabaseError {
      throw error
    } catch {
      throw DatabaseError(.column, DecodingFault(error, of: "\(type)").values)
    }
  }
}

/// The column, type and value that a decoding error is about.
struct DecodingFault {
  let path: String
  let type: String
  let found: String

  init(_ error: any Error, of type: String) {
    var (path, found): ([any CodingKey], String) = ([], "\(error)")
    var wanted = type
    switch error as? DecodingError {
    case .typeMismatch(let type, let context):
      (path, wanted, found) = (context.codingPath, "\(type)", context.debugDescription)
    case .valueNotFound(let type, let context): (path, wanted, found) = (context.codingPath, "\(type)", "null")
    case .keyNotFound(let key, let context): (path, found) = (context.codingPath + [key], "nothing")
    case .dataCorrupted(let context): (path, found) = (context.codingPath, context.debugDescription)
    default: break
    }
    self.path = path.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }.joined(separator: ".")
    (self.type, self.found) = (wanted, found)
  }

  var values: [String: String] { ["column": path, "type": type, "found": found] }
}
