import MPaaSDatabase

/// The rows of a table, page by page in the order of its primary key; a table without one is a single page.
struct TablePages {
  /// Some rows that follow one another.
  struct Page {
    var rows: [[SQLValue]] = []
    /// The key of the last row, by which the next page is asked for.
    var last: [SQLValue] = []
    var bytes = 0
  }

  /// Bytes of texts and blobs beyond which a page ends.
  private static let mostBytes = 8 << 20

  let table: SQLTable
  let database: any SQLDatabase
  /// The rows of a page.
  let most: Int

  /// The page behind a key, or the first one; nil where no rows are left.
  func page(after last: [SQLValue]?) throws(SQLError) -> Page? {
    if table.key.isEmpty, last != nil { return nil }
    let rest = rest(after: last)
    let limit = try limit(rest, last ?? [])
    var page = Page()
    try database.forEach(
      "SELECT \(table.columnList) \(rest) LIMIT ?", (last ?? []) + [.integer(limit)]
    ) { row in
      let values = (0..<table.columns.count).map { row[$0] }
      page.last = table.key.map { Self.exact(values[$0], row, $0, isRemote: database.isRemote) }
      page.bytes += values.reduce(0) { $0 + Self.size($1) }
      page.rows.append(values)
      return table.key.isEmpty || page.bytes < Self.mostBytes
    }
    return page.rows.isEmpty ? nil : page
  }

  /// The tables, conditions and order of a query of the rows behind a key.
  private func rest(after last: [SQLValue]?) -> String {
    guard !table.key.isEmpty else { return "FROM \(table.quoted)" }
    let keys = table.key.map { table.quoted($0) }.joined(separator: ", ")
    let order = "ORDER BY \(keys)"
    guard let last else { return "FROM \(table.quoted) \(order)" }
    let marks = zip(table.key, last).map { place, value in
      // The bytes of a text of SQLite that is none of UTF-8.
      if case .blob = value, table.columns[place].type == "TEXT" { "CAST(? AS TEXT)" } else { "?" }
    }.joined(separator: ", ")
    return "FROM \(table.quoted) WHERE (\(keys)) > (\(marks)) \(order)"
  }

  /// The number of rows of a page.
  ///
  /// SQLite gives row by row, and is asked for no more once there are enough. PostgreSQL gives all at once, and tells
  /// the sizes of the rows before.
  private func limit(_ rest: String, _ last: [SQLValue]) throws(SQLError) -> Int {
    guard !table.key.isEmpty else { return .max }
    let sized = table.columns.indices.filter { ["TEXT", "BLOB"].contains(table.columns[$0].type) }
    guard database.isRemote, !sized.isEmpty else { return most }
    let size = sized.map { "coalesce(octet_length(\(table.quoted($0))), 0)" }.joined(separator: " + ")
    var (rows, bytes) = (0, 0)
    try database.forEach("SELECT \(size) \(rest) LIMIT ?", last + [.integer(most)]) { row in
      rows += 1
      bytes += Int(row.integer(0))
      return bytes < Self.mostBytes
    }
    return max(rows, 1)
  }

  /// A value of a key by which SQLite finds its row again: a text that is none of UTF-8 as its bytes.
  private static func exact(_ value: SQLValue, _ row: SQLRow, _ column: Int, isRemote: Bool) -> SQLValue {
    guard !isRemote, case .text(let text) = value else { return value }
    let bytes = row.blob(column)
    return bytes.elementsEqual(text.utf8) ? value : .blob(bytes)
  }

  private static func size(_ value: SQLValue) -> Int {
    switch value {
    case .null, .integer, .real: 0
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }
}

extension SQLTable {
  /// The name, whatever words an engine keeps for itself.
  var quoted: String { "\"\(name)\"" }
  /// The names of all columns with commas between them.
  var columnList: String { columns.indices.map(quoted).joined(separator: ", ") }

  func quoted(_ column: Int) -> String { "\"\(columns[column].name)\"" }
}
