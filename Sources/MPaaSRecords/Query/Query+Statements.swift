// The statements that a query becomes.
extension Query {
  /// The statement that selects its rows.
  func selection() throws(DatabaseError) -> SQLText {
    var sql = SQLText()
    sql.add(isDistinct ? "SELECT DISTINCT " : "SELECT ")
    if selected.isEmpty { sql.add("*") }
    try sql.list(selected) { sql, column throws(DatabaseError) in
      if column.term.function == nil, column.term.column == "*" { return sql.add("*") }
      try sql.term(column.term)
      guard let alias = column.alias else { return }
      sql.add(" AS ")
      try sql.name(alias)
    }
    sql.add(" FROM ")
    try sql.list(tables) { sql, table throws(DatabaseError) in try sql.name(table) }
    try restrict(&sql)
    try order(&sql)
    return sql
  }

  /// The statement that counts its rows.
  func counting() throws(DatabaseError) -> SQLText {
    var sql = SQLText()
    sql.add("SELECT count(*) FROM ")
    if isDistinct || !groups.isEmpty || limit != nil || offset != nil || selected.contains(where: \.isOverRows) {
      sql.add("(")
      sql.add(try selection())
      sql.add(")")
    } else {
      try sql.list(tables) { sql, table throws(DatabaseError) in try sql.name(table) }
      try restrict(&sql)
    }
    return sql
  }

  /// The statement that inserts a row.
  ///
  /// - Parameter key: The column by which a row that is there already is changed instead.
  func insertion(key: String? = nil) throws(DatabaseError) -> SQLText {
    var sql = SQLText()
    sql.add("INSERT INTO ")
    try sql.name(try table("insert"))
    let values = lastAssignments
    guard !values.isEmpty else {
      sql.add(" DEFAULT VALUES")
      return sql
    }
    sql.add(" (")
    try sql.list(values) { sql, value throws(DatabaseError) in try sql.name(value.column) }
    sql.add(") VALUES (")
    try sql.list(values) { sql, value throws(DatabaseError) in sql.bind(value.value) }
    sql.add(")")
    if let key { try replace(key, values, &sql) }
    return sql
  }

  private func replace(_ key: String, _ values: [Assignment], _ sql: inout SQLText) throws(DatabaseError) {
    sql.add(" ON CONFLICT (")
    try sql.name(key)
    let others = values.filter { $0.column != key }
    guard !others.isEmpty else { return sql.add(") DO NOTHING") }
    sql.add(") DO UPDATE SET ")
    try sql.list(others) { sql, value throws(DatabaseError) in
      try sql.name(value.column)
      sql.add(" = excluded.")
      try sql.name(value.column)
    }
  }

  /// The statement that changes its rows.
  func updating() throws(DatabaseError) -> SQLText {
    var sql = SQLText()
    let table = try table("update"), values = lastAssignments
    guard !values.isEmpty else { throw missing("set", "update") }
    sql.add("UPDATE ")
    try sql.name(table)
    sql.add(" SET ")
    try sql.list(values) { sql, value throws(DatabaseError) in
      try sql.name(value.column)
      sql.add(" = ")
      sql.bind(value.value)
    }
    try restrictRows(&sql, table)
    return sql
  }

  /// The statement that deletes its rows.
  ///
  /// - Throws: `query-incomplete` where it has no conditions: `empty` deletes all rows.
  func deletion() throws(DatabaseError) -> SQLText {
    let table = try table("delete")
    guard !conditions.isEmpty else { throw missing("where", "delete") }
    var sql = SQLText()
    sql.add("DELETE FROM ")
    try sql.name(table)
    try restrictRows(&sql, table)
    return sql
  }

  /// The statement that deletes all rows.
  func emptying() throws(DatabaseError) -> SQLText {
    var sql = SQLText()
    sql.add("DELETE FROM ")
    try sql.name(try table("empty"))
    return sql
  }

  /// The only table of a change.
  func table(_ verb: String) throws(DatabaseError) -> String {
    guard tables.count == 1, let table = tables.first else { throw missing("one table", verb) }
    return table
  }

  private func missing(_ part: String, _ verb: String) -> DatabaseError {
    DatabaseError(.incomplete, ["verb": verb, "part": part, "table": tables.joined(separator: ", ")])
  }

  /// The values to write; of those of one column the last one counts.
  private var lastAssignments: [Assignment] {
    assignments.enumerated().filter { index, value in
      !assignments[(index + 1)...].contains { $0.column == value.column }
    }.map(\.element)
  }

  private func restrict(_ sql: inout SQLText) throws(DatabaseError) {
    if !conditions.isEmpty {
      sql.add(" WHERE ")
      try sql.conditions(conditions)
    }
    if !groups.isEmpty {
      sql.add(" GROUP BY ")
      try sql.list(groups) { sql, column throws(DatabaseError) in try sql.name(column) }
    }
    if !groupConditions.isEmpty {
      sql.add(" HAVING ")
      try sql.conditions(groupConditions)
    }
  }

  /// Restricts a change to rows; SQLite takes an order and a limit only where these select rows by their numbers.
  private func restrictRows(_ sql: inout SQLText, _ table: String) throws(DatabaseError) {
    guard limit != nil || offset != nil else { return try restrict(&sql) }
    sql.add(" WHERE rowid IN (SELECT rowid FROM ")
    try sql.name(table)
    try restrict(&sql)
    try order(&sql)
    sql.add(")")
  }

  private func order(_ sql: inout SQLText) throws(DatabaseError) {
    if !orders.isEmpty { sql.add(" ORDER BY ") }
    try sql.list(orders) { sql, order throws(DatabaseError) in
      switch order {
      case .random: sql.add("random()")
      case .column(let column, let isDescending):
        try sql.name(column)
        sql.add(isDescending ? " DESC" : " ASC")
      }
    }
    guard limit != nil || offset != nil else { return }
    sql.add(" LIMIT ")
    if let limit { try bind(limit, "limit", &sql) } else { sql.add("-1") }
    guard let offset else { return }
    sql.add(" OFFSET ")
    try bind(offset, "offset", &sql)
  }

  private func bind(_ count: Int, _ name: String, _ sql: inout SQLText) throws(DatabaseError) {
    guard count >= 0 else { throw DatabaseError(.value, ["name": name, "value": "\(count)"]) }
    sql.bind(.integer(Int64(count)))
  }
}

extension Query.Selected {
  fileprivate var isOverRows: Bool { term.function != nil }
}
