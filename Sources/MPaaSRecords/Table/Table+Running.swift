// Makes tables and indexes; without a database of their own in the shared one.
extension Table {
  /// Makes the table, unless there is one of the name.
  ///
  /// - Throws: `query-incomplete` where it has no columns; `query-name`, `query-value`.
  public func createIfNotExists(in database: Database? = nil) throws(DatabaseError) {
    let database = try Database.named(database)
    try database.run(creation())
    database.forgetTables()
  }

  /// Makes the table, or adds the columns that it lacks; others stay as they are.
  ///
  /// - Returns: The names of the columns that were added to a table that was there.
  @discardableResult
  public func createOrExtend(in database: Database? = nil) throws(DatabaseError) -> [String] {
    let database = try Database.named(database)
    return try database.atomically { () throws(DatabaseError) in
      let known = Set(try Table.columns(of: name, in: database).map { $0.lowercased() })
      guard !known.isEmpty else {
        try createIfNotExists(in: database)
        return []
      }
      let missing = fields.filter { !known.contains($0.name.lowercased()) }
      for field in missing { try database.run(addition(field)) }
      return missing.map(\.name)
    }
  }

  /// Makes an index over columns, unless there is one.
  ///
  /// - Parameter isUnique: Refuses two rows with the same values in all of them.
  public func createIndex(
    on columns: String..., isUnique: Bool = false, in database: Database? = nil
  ) throws(DatabaseError) {
    guard !columns.isEmpty else { throw incomplete("columns", "index") }
    guard SQLName.isSingle(name) else { throw DatabaseError(.name, ["name": name]) }
    var sql = SQLText()
    sql.add(isUnique ? "CREATE UNIQUE INDEX IF NOT EXISTS " : "CREATE INDEX IF NOT EXISTS ")
    try sql.name(([name] + columns).joined(separator: "_"))
    sql.add(" ON ")
    try sql.name(name)
    sql.add(" (")
    try sql.list(columns) { sql, column throws(DatabaseError) in try sql.name(column) }
    sql.add(")")
    try Database.named(database).run(sql)
  }

  /// Removes the table with its rows, if it is there.
  public func drop(in database: Database? = nil) throws(DatabaseError) {
    let database = try Database.named(database)
    var sql = SQLText()
    sql.add("DROP TABLE IF EXISTS ")
    try sql.name(name)
    try database.run(sql)
    database.forgetTables()
  }

  /// Tells whether there is a table of the name.
  public func exists(in database: Database? = nil) throws(DatabaseError) -> Bool {
    try !Table.columns(of: name, in: Database.named(database)).isEmpty
  }

  /// The names of a table's columns; none where it is not there.
  static func columns(of name: String, in database: Database) throws(DatabaseError) -> [String] {
    let rows = try database.rows(SQLText("SELECT name FROM pragma_table_info(?)", [.text(name)]))
    return rows.compactMap { row in
      guard case .text(let name) = row.values.first else { return nil }
      return name
    }
  }

  private func creation() throws(DatabaseError) -> SQLText {
    guard !fields.isEmpty else { throw incomplete("columns", "create") }
    var sql = SQLText()
    sql.add("CREATE TABLE IF NOT EXISTS ")
    try sql.name(name)
    sql.add(" (")
    try sql.list(fields) { sql, field throws(DatabaseError) in try field.write(to: &sql) }
    sql.add(")")
    return sql
  }

  private func addition(_ field: TableField) throws(DatabaseError) -> SQLText {
    var sql = SQLText()
    sql.add("ALTER TABLE ")
    try sql.name(name)
    sql.add(" ADD COLUMN ")
    try field.write(to: &sql)
    return sql
  }

  private func incomplete(_ part: String, _ verb: String) -> DatabaseError {
    DatabaseError(.incomplete, ["verb": verb, "part": part, "table": name])
  }
}
