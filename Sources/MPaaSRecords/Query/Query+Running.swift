// Runs queries; without a database of their own they use the shared one.
extension Query {
  /// The rows of the query.
  public func rows(in database: Database? = nil) throws(DatabaseError) -> [Row] {
    try Database.named(database).rows(selection())
  }

  /// The first row of the query; nil where it has none.
  public func first(in database: Database? = nil) throws(DatabaseError) -> Row? {
    try limit(1).rows(in: database).first
  }

  /// The rows of the query as values of a type, by the names of columns.
  ///
  /// - Throws: `row-column` where a row has not what the type needs.
  public func rows<Value: Decodable>(
    as type: Value.Type, in database: Database? = nil
  ) throws(DatabaseError) -> [Value] {
    try rows(in: database).map { row throws(DatabaseError) in try row.decoded(type) }
  }

  /// The first row of the query as a value of a type; nil where it has none.
  public func first<Value: Decodable>(
    as type: Value.Type, in database: Database? = nil
  ) throws(DatabaseError) -> Value? {
    guard let row = try first(in: database) else { return nil }
    return try row.decoded(type)
  }

  /// The number of rows that the query has.
  public func count(in database: Database? = nil) throws(DatabaseError) -> Int {
    let rows = try Database.named(database).rows(counting())
    guard case .integer(let count) = rows.first?.values.first else { return 0 }
    return Int(count)
  }

  /// Inserts a row with the values that were set.
  ///
  /// - Returns: The number of the row, which is its key where that is a whole number.
  @discardableResult
  public func insert(in database: Database? = nil) throws(DatabaseError) -> Int64 {
    try Database.named(database).run(insertion()).lastRow
  }

  /// Inserts a row with the values that were set, or changes the one that has the same value in a unique column.
  public func insertOrUpdate(by column: String, in database: Database? = nil) throws(DatabaseError) {
    try Database.named(database).run(insertion(key: column))
  }

  /// Writes the values that were set into the rows of the query; into all where it has no conditions.
  ///
  /// - Returns: The number of rows that were changed.
  /// - Throws: `query-incomplete` where nothing was set.
  @discardableResult
  public func update(in database: Database? = nil) throws(DatabaseError) -> Int {
    try Database.named(database).run(updating()).changes
  }

  /// Deletes the rows of the query.
  ///
  /// - Returns: The number of rows that were deleted.
  /// - Throws: `query-incomplete` where it has no conditions; `empty` deletes all rows.
  @discardableResult
  public func delete(in database: Database? = nil) throws(DatabaseError) -> Int {
    try Database.named(database).run(deletion()).changes
  }

  /// Deletes all rows of the table, whatever the conditions say.
  ///
  /// - Returns: The number of rows that were deleted.
  @discardableResult
  public func empty(in database: Database? = nil) throws(DatabaseError) -> Int {
    try Database.named(database).run(emptying()).changes
  }

  /// Deletes all rows of the table, and has keys that count by themselves begin anew.
  ///
  /// - Returns: The number of rows that were deleted.
  @discardableResult
  public func truncate(in database: Database? = nil) throws(DatabaseError) -> Int {
    let database = try Database.named(database)
    return try database.atomically { () throws(DatabaseError) in
      let count = try database.run(emptying()).changes
      // The table of counters is there once a table has one.
      let counters = Query("sqlite_master").where("name", "sqlite_sequence")
      if try counters.count(in: database) > 0 {
        try Query("sqlite_sequence").where("name", table("truncate")).delete(in: database)
      }
      return count
    }
  }
}
