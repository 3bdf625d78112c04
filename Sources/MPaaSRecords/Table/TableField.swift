/// A column of a table's definition.
struct TableField: Sendable, Equatable {
  let name: String
  let type: ColumnType
  /// The most characters or digits that a value may have.
  var size: Int?
  var isUnsigned = false
  var isRequired = false
  var isPrimaryKey = false
  var countsItself = false
  var isUnique = false
  var fallback: DatabaseValue?

  /// Adds the definition of the column.
  func write(to sql: inout SQLText) throws(DatabaseError) {
    try sql.name(name)
    sql.add(" ")
    sql.add(type)
    if isPrimaryKey { sql.add(countsItself ? " PRIMARY KEY AUTOINCREMENT" : " PRIMARY KEY") }
    // SQLite lets keys that are no whole numbers be null.
    if isRequired || (isPrimaryKey && type != .integer) { sql.add(" NOT NULL") }
    if isUnique { sql.add(" UNIQUE") }
    if let fallback {
      sql.add(" DEFAULT ")
      try sql.literal(fallback, of: name)
    }
    try check(&sql)
  }

  /// Adds what SQLite's types do not check.
  private func check(_ sql: inout SQLText) throws(DatabaseError) {
    if isUnsigned {
      sql.add(" CHECK (")
      try sql.name(name)
      sql.add(" >= 0)")
    }
    guard let size else { return }
    guard size > 0 else { throw DatabaseError(.value, ["name": name, "value": "\(size)"]) }
    sql.add(" CHECK (length(")
    try sql.name(name)
    sql.add(") <= ")
    sql.number(size)
    sql.add(")")
  }
}

extension SQLText {
  mutating func add(_ type: ColumnType) {
    switch type {
    case .integer: add("INTEGER")
    case .real: add("REAL")
    case .text: add("TEXT")
    case .blob: add("BLOB")
    case .numeric: add("NUMERIC")
    }
  }
}
