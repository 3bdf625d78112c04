import CSQLite

/// A row of an answer, as long as the closure that was given it runs.
package struct SQLiteRow {
  let statement: OpaquePointer

  /// Creates the row that a statement stands at.
  package init(_ statement: OpaquePointer) { self.statement = statement }

  /// The number of its columns.
  package var count: Int { Int(sqlite3_column_count(statement)) }

  /// The name of a column, counted from 0, as the query gives it.
  package func name(_ column: Int) -> String {
    sqlite3_column_name(statement, Int32(column)).map { String(cString: $0) } ?? ""
  }

  /// The value of a column, counted from 0.
  package subscript(column: Int) -> SQLiteValue {
    switch sqlite3_column_type(statement, Int32(column)) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, Int32(column)))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, Int32(column)))
    case SQLITE_TEXT: .text(text(column))
    case SQLITE_BLOB: .blob(blob(column))
    default: .null
    }
  }

  package func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }
  package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }
  package func real(_ column: Int) -> Double { sqlite3_column_double(statement, Int32(column)) }

  /// The text of a column; empty where it is null.
  package func text(_ column: Int) -> String {
    guard let bytes = sqlite3_column_text(statement, Int32(column)) else { return "" }
    let size = Int(sqlite3_column_bytes(statement, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: size), as: UTF8.self)
  }

  /// The number of bytes of a text or of bytes.
  package func bytes(_ column: Int) -> Int {
    _ = sqlite3_column_blob(statement, Int32(column))
    return Int(sqlite3_column_bytes(statement, Int32(column)))
  }

  package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
  package func optionalInteger(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }

  /// The bytes of a column; empty where it is null.
  package func blob(_ column: Int) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(statement, Int32(column)) else { return [] }
    let size = Int(sqlite3_column_bytes(statement, Int32(column)))
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: size))
  }
}
