/// One connection to a database of SQL, for one thread at a time.
///
/// Statements are in the words that SQLite and PostgreSQL share; keywords and types in capitals, names in small letters,
/// question marks in place of values: `Documentation/Console.md`.
package protocol SQLDatabase: AnyObject {
  /// The file, or the address without its password; for messages.
  var path: String { get }
  /// The number of rows that the last statement changed.
  var changes: Int { get }

  /// Runs one statement to its end, `values` in place of its question marks; rows that it gives are passed over.
  ///
  /// - Throws: Its error or, at PostgreSQL, that of a statement before it which was not waited for.
  func run(_ sql: String, _ values: [SQLValue]) throws(SQLError)
  /// Hands each row of a query to `take` until that gives false.
  func forEach(_ sql: String, _ values: [SQLValue], _ take: (SQLRow) -> Bool) throws(SQLError)
  /// Hands each row of several queries, in their order, to `take` until that gives false. A server gets all queries at
  /// once and is waited for once.
  func forEach(_ queries: [SQLQuery], _ take: (SQLRow) -> Bool) throws(SQLError)

  /// Begins a transaction that alone may write until it ends.
  func begin() throws(SQLError)
  /// Waits until nothing of the transaction can be wrong but its end.
  func prepareCommit() throws(SQLError)
  /// Ends the transaction; what it did is on the disk.
  ///
  /// - Throws: `database-unavailable` where it is unknown whether it is.
  func commit() throws(SQLError)
  /// Takes the transaction back.
  func rollback()
  /// Tells whether statements go to a server, so that marks cost more than a transaction that is seldom done again.
  var isRemote: Bool { get }
  /// The number of statements so far that may have changed something, those that failed included.
  var writes: Int { get }
  /// Marks a place within the transaction to which it can be taken back.
  func mark() throws(SQLError)
  /// Forgets the mark; nothing since then is wrong.
  func release() throws(SQLError)
  /// Takes back what was done since the mark, and forgets it.
  func takeBack() throws(SQLError)

  /// Brings the tables to the newest form: `steps[n]` leads from version n to n + 1.
  ///
  /// - Throws: `database-newer` where the database is ahead of `steps`; then nothing was written.
  func migrate(_ steps: [String]) throws(SQLError)
  /// The number of steps that the tables came by; 0 where there are none.
  func version() throws(SQLError) -> Int
  /// Tells whether a table is there; its name is in small letters.
  func hasTable(_ name: String) throws(SQLError) -> Bool

  /// Does a change within a transaction after which the pages of a file keep nothing of what was removed; a server of
  /// PostgreSQL uses the room of removed rows again as `VACUUM` comes to it.
  func erasing<Value>(_ body: () throws -> Value) throws -> Value
  /// The bytes of the rows; nil where the database is not a file.
  func usedBytes() throws(SQLError) -> Int64?

  /// Tells whether the connection has ended.
  var isLost: Bool { get }
  /// Connects again.
  func reconnect() throws(SQLError)
}

/// A query and the values in place of its question marks.
package struct SQLQuery: Sendable {
  package var sql: String
  package var values: [SQLValue]

  package init(_ sql: String, _ values: [SQLValue] = []) { (self.sql, self.values) = (sql, values) }

  /// Tells whether it changes nothing.
  var isReading: Bool { sql.hasPrefix("SELECT") }
}

extension SQLDatabase {
  package func run(_ sql: String) throws(SQLError) { try run(sql, []) }

  package func forEach(_ sql: String, _ take: (SQLRow) -> Bool) throws(SQLError) { try forEach(sql, [], take) }

  /// The values that `read` makes of each row of a query.
  package func rows<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (SQLRow) -> Value
  ) throws(SQLError) -> [Value] {
    var found: [Value] = []
    try forEach(sql, values) { row in
      found.append(read(row))
      return true
    }
    return found
  }

  /// The value that `read` makes of a query's first row; nil where there is none.
  package func row<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ read: (SQLRow) -> Value
  ) throws(SQLError) -> Value? {
    var found: Value?
    try forEach(sql, values) { row in
      found = read(row)
      return false
    }
    return found
  }

  /// Does all of `body` or, where that throws, nothing; the right to write is taken at the beginning.
  package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try begin()
    do {
      let value = try body()
      try commit()
      return value
    } catch {
      rollback()
      throw error
    }
  }
}
