import MPaaSSQLite

/// The names of a query's columns, shared by its rows.
final class RowNames: Sendable {
  let all: [String]
  private let places: [String: Int]

  init(_ row: SQLiteRow) {
    all = (0..<row.count).map { row.name($0) }
    places = Dictionary(all.enumerated().map { ($1, $0) }) { first, _ in first }
  }

  func place(of name: String) -> Int? { places[name] }
}

/// A row of a query: values by the names of columns.
public struct Row: Sendable {
  let names: RowNames
  /// The values, in the order of the columns.
  public let values: [DatabaseValue]

  init(names: RowNames, values: [DatabaseValue]) {
    self.names = names
    self.values = values
  }

  /// The names of the columns.
  public var columns: [String] { names.all }

  /// The value of a column; nil where the row has none of the name.
  public subscript(name: String) -> DatabaseValue? { names.place(of: name).map { values[$0] } }

  /// The value of a column; nil where it is null.
  ///
  /// - Throws: `row-column` where the row has no such column, or its value is none of the type.
  public func value<Value: DatabaseValueConvertible>(
    _ name: String, as type: Value.Type = Value.self
  ) throws(DatabaseError) -> Value? {
    guard let found = self[name] else {
      throw DatabaseError(.column, ["column": name, "type": "\(type)", "found": "nothing"])
    }
    if found == .null { return nil }
    guard let value = Value(databaseValue: found) else {
      throw DatabaseError(.column, ["column": name, "type": "\(type)", "found": found.kind])
    }
    return value
  }
}

extension Row: Equatable {
  /// Tells whether names and values are the same, in the same order.
  public static func == (left: Row, right: Row) -> Bool {
    left.columns == right.columns && left.values == right.values
  }
}
