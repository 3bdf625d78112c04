import MPaaSSQLite

// The database of an object: facts about it and work on it, beside the document's methods.
extension DAOAccess {
  /// The number of the row that was inserted last.
  public var lastInsertRowID: Int64 { (try? storage.write { $0.database.lastRow }) ?? 0 }

  /// The number of rows that the last statement changed.
  public var changedRows: Int { (try? storage.write { $0.database.changes }) ?? 0 }

  /// Hands SQLite's pointer of the connection that writes to `body`, while no other thread uses it.
  ///
  /// The pointer must not be closed, nor kept.
  public func withHandle<Value: Sendable>(_ body: (OpaquePointer) -> Value) throws(DAOError) -> Value {
    try storage.write { session throws(DAOError) in body(session.database.pointer) }
  }

  /// Tells whether the table is there.
  public func tableExists() throws(DAOError) -> Bool { try schema() != nil }

  /// The statement that made the table; nil where it is not there.
  public func schema() throws(DAOError) -> String? {
    guard let table = tableName else { throw DAOError(.noTable) }
    return try storage.write { session throws(DAOError) in try session.database.schema(of: table) }
  }

  /// Deletes the table with its rows; the next call makes it anew.
  public func deleteTable() throws(DAOError) {
    guard let table = tableName else { throw DAOError(.noTable) }
    try delete([table], progress: nil)
  }

  /// Deletes all tables whose names contain a match of a POSIX extended regular expression.
  ///
  /// - Parameters:
  ///   - pattern: The regular expression.
  ///   - vacuum: Gives the room back to the system.
  ///   - progress: Gets the part that is done, from 0 to 1, on the thread of the call.
  /// - Returns: The tables that are gone.
  /// - Throws: `dao-expression` where the pattern cannot be read.
  @discardableResult
  public func deleteTables(
    matching pattern: String, vacuum: Bool = false, progress: (@Sendable (Double) -> Void)? = nil
  ) throws(DAOError) -> [String] {
    let pattern = try TablePattern(pattern)
    let all = try storage.write { session throws(DAOError) in try session.database.tables() }
    let names = all.filter { $0 != "TableVersions" && pattern.matches($0) }
    try delete(names, progress: progress)
    if vacuum { try self.vacuum() }
    return names
  }

  private func delete(_ tables: [String], progress: (@Sendable (Double) -> Void)?) throws(DAOError) {
    for (index, table) in tables.enumerated() {
      try storage.write { session throws(DAOError) in
        try session.database.delete(table)
        session.forget(table)
      }
      progress?(Double(index + 1) / Double(tables.count))
    }
  }

  /// Gives the room of what was deleted back to the system.
  public func vacuum() throws(DAOError) {
    try storage.write { session throws(DAOError) in try session.database.vacuum() }
  }

  /// Runs a statement of the app's own.
  ///
  /// - Returns: The number of rows that it changed.
  @discardableResult
  public func executeUpdate(_ sql: String, _ bindings: [DAOValue] = []) throws(DAOError) -> Int {
    try storage.write { session throws(DAOError) in try session.connection.run(sql, bindings) }
  }

  /// Runs a query of the app's own.
  ///
  /// - Returns: Its rows by the names of their columns.
  public func executeQuery(
    _ sql: String, _ bindings: [DAOValue] = []
  ) throws(DAOError) -> [[String: DAOValue]] {
    try storage.write { session throws(DAOError) in try session.database.rows(sql, bindings) }
  }

  /// Encrypts an encrypted database with another key, of 32 secret bytes; other connections go on meanwhile.
  ///
  /// - Throws: `dao-not-encrypted` where the database is plain; `dao-database` where readers keep it from its end, which
  ///   the next call comes to: until then both keys open the database.
  public func changeKey(to key: [UInt8]) throws(DAOError) { try storage.changeKey(to: key) }
}

extension DatabaseKey {
  /// Takes the 32 secret bytes of an app.
  init(dao bytes: [UInt8]) throws(DAOError) {
    guard let key = DatabaseKey(bytes) else { throw DAOError(.keyMalformed, ["count": "\(bytes.count)"]) }
    self = key
  }
}
