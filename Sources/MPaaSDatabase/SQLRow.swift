import MPaaSSQLite

/// A row of an answer, as long as the closure that was given it runs; columns are counted from 0.
package struct SQLRow {
  private enum Source {
    case sqlite(SQLiteRow)
    case postgres(PostgresRow)
  }

  private let source: Source

  init(_ row: SQLiteRow) { source = .sqlite(row) }
  init(_ row: PostgresRow) { source = .postgres(row) }

  /// The number of its columns.
  package var count: Int {
    switch source {
    case .sqlite(let row): row.count
    case .postgres(let row): row.count
    }
  }

  /// The name of a column, as the query gives it.
  package func name(_ column: Int) -> String {
    switch source {
    case .sqlite(let row): row.name(column)
    case .postgres(let row): row.name(column)
    }
  }

  /// The value of a column.
  package subscript(column: Int) -> SQLValue {
    switch source {
    case .sqlite(let row): SQLValue(row[column])
    case .postgres(let row): row[column]
    }
  }

  package func isNull(_ column: Int) -> Bool {
    switch source {
    case .sqlite(let row): row.isNull(column)
    case .postgres(let row): row.isNull(column)
    }
  }

  package func integer(_ column: Int) -> Int64 {
    switch source {
    case .sqlite(let row): row.integer(column)
    case .postgres(let row): row.integer(column)
    }
  }

  package func real(_ column: Int) -> Double {
    switch source {
    case .sqlite(let row): row.real(column)
    case .postgres(let row): row.real(column)
    }
  }

  /// The text of a column; empty where it is null.
  package func text(_ column: Int) -> String {
    switch source {
    case .sqlite(let row): row.text(column)
    case .postgres(let row): row.text(column)
    }
  }

  /// The number of bytes of a text or of bytes.
  package func bytes(_ column: Int) -> Int {
    switch source {
    case .sqlite(let row): row.bytes(column)
    case .postgres(let row): row.bytes(column)
    }
  }

  /// The bytes of a column; empty where it is null.
  package func blob(_ column: Int) -> [UInt8] {
    switch source {
    case .sqlite(let row): row.blob(column)
    case .postgres(let row): row.blob(column)
    }
  }

  package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
  package func optionalInteger(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }
}
