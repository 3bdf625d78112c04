/// A table by its name, its columns and its primary key.
package struct SQLTable: Sendable, Equatable {
  /// A column by its name, and its type in the words of SQLite: INTEGER, REAL, TEXT or BLOB.
  package struct Column: Sendable, Equatable {
    package let name: String
    package let type: String
  }

  package let name: String
  /// The columns in the order in which they came.
  package let columns: [Column]
  /// The places of the columns of the primary key, in the order of that; empty where the table has none.
  package let key: [Int]

  /// The tables that steps make, sorted by name; both engines have them alike.
  ///
  /// SQLite takes the steps in memory and tells what came of them.
  package static func all(of steps: [String]) throws(SQLError) -> [SQLTable] {
    let database = try SQLiteConnection(":memory:", .readWrite)
    try database.migrate(steps)
    let parts = try database.rows(
      """
      SELECT m.name, c.name, c.type, c.pk FROM sqlite_schema m JOIN pragma_table_info(m.name) c
      WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY m.name, c.cid
      """
    ) { (table: $0.text(0), column: Column(name: $0.text(1), type: $0.text(2)), place: $0.integer(3)) }
    return Dictionary(grouping: parts, by: \.table).sorted { $0.key < $1.key }.map { name, parts in
      let key = parts.indices.filter { parts[$0].place > 0 }.sorted { parts[$0].place < parts[$1].place }
      return SQLTable(name: name, columns: parts.map(\.column), key: key)
    }
  }
}
