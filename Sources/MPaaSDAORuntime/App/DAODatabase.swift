import MPaaSSQLite

/// The database of an object, beside the document's methods.
struct DAODatabase {
  private let connection: DAOConnection

  init(_ connection: DAOConnection) { self.connection = connection }

  var isInTransaction: Bool { connection.database.isInTransaction }
  var lastRow: Int64 { connection.database.lastRow }
  var changes: Int { connection.database.changes }
  var pointer: OpaquePointer { connection.database.pointer }

  /// The rows of a query by the names of its columns.
  func rows(_ sql: String, _ bindings: [DAOValue]) throws(DAOError) -> [[String: DAOValue]] {
    var rows: [[String: DAOValue]] = []
    try connection.forEach(sql, bindings) { row throws(DAOError) in
      var members: [String: DAOValue] = [:]
      for column in 0..<row.count { members[row.name(column)] = DAOValue(row[column]) }
      rows.append(members)
      return true
    }
    return rows
  }

  /// The names of all tables but SQLite's own.
  func tables() throws(DAOError) -> [String] {
    var names: [String] = []
    let sql =
      "select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name"
    try connection.forEach(sql, []) { row throws(DAOError) in
      names.append(row.text(0))
      return true
    }
    return names
  }

  /// The statement that made a table; nil where there is none of the name.
  func schema(of table: String) throws(DAOError) -> String? {
    var schema: String?
    let sql = "select sql from sqlite_master where type = 'table' and name = ? collate nocase"
    try connection.forEach(sql, [.text(table)]) { row throws(DAOError) in
      schema = row.text(0)
      return false
    }
    return schema
  }

  /// Removes a table and its version.
  func delete(_ table: String) throws(DAOError) {
    try connection.atomically { () throws(DAOError) in
      _ = try connection.run("drop table if exists \(DAOName.quoted(table))")
      guard try schema(of: "TableVersions") != nil else { return }
      _ = try connection.run("delete from TableVersions where tableName = ?", [.text(table)])
    }
  }

  func vacuum() throws(DAOError) { _ = try connection.run("vacuum") }
}
