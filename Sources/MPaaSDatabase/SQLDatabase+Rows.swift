/// Statements over many rows of values at once.
///
/// As many rows go into one statement as the largest power of two that is left, so that each statement is prepared for a
/// few numbers of rows only.
extension SQLDatabase {
  /// Runs a statement over rows.
  ///
  /// - Parameters:
  ///   - rows: Rows of the same number of values.
  ///   - statement: Makes the statement from the words behind its `VALUES`: `(?, ?), (?, ?)`.
  package func run(overRows rows: [[SQLValue]], _ statement: (String) -> String) throws(SQLError) {
    for part in Self.parts(rows) { try run(statement(Self.marks(part)), part.flatMap { $0 }) }
  }

  /// The values that `read` makes of each row that a statement over rows gives.
  package func rows<Value>(
    overRows rows: [[SQLValue]], _ statement: (String) -> String, _ read: (SQLRow) -> Value
  ) throws(SQLError) -> [Value] {
    try self.rows(Self.parts(rows).map { SQLQuery(statement(Self.marks($0)), $0.flatMap { $0 }) }, read)
  }

  /// The values that `read` makes of the rows that a query gives for each of many rows of values.
  ///
  /// The plan of a server for many values at once may read a whole table; for one row of them it takes the index.
  package func rows<Value>(
    forEach rows: [[SQLValue]], _ query: String, _ read: (SQLRow) -> Value
  ) throws(SQLError) -> [Value] {
    let queries = Self.parts(rows).map { part in
      SQLQuery(part.map { _ in query }.joined(separator: " UNION ALL "), part.flatMap { $0 })
    }
    return try self.rows(queries, read)
  }

  private func rows<Value>(_ queries: [SQLQuery], _ read: (SQLRow) -> Value) throws(SQLError) -> [Value] {
    var found: [Value] = []
    try forEach(queries) { row in
      found.append(read(row))
      return true
    }
    return found
  }

  private static func parts(_ rows: [[SQLValue]]) -> [ArraySlice<[SQLValue]>] {
    var parts: [ArraySlice<[SQLValue]>] = []
    var rest = rows[...]
    while !rest.isEmpty {
      let count = min(64, 1 << (Int.bitWidth - 1 - rest.count.leadingZeroBitCount))
      parts.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return parts
  }

  private static func marks(_ rows: ArraySlice<[SQLValue]>) -> String {
    rows.map { "(" + $0.map { _ in "?" }.joined(separator: ", ") + ")" }.joined(separator: ", ")
  }
}
