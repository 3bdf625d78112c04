// Finds records; without a database of their own in the shared one.
extension ActiveRecord {
  /// The query of all records.
  public static var all: RecordQuery<Self> { RecordQuery() }

  /// The query of the records in which a column has a value; nil for none.
  public static func `where`(_ column: String, _ value: (any DatabaseValueConvertible)?) -> RecordQuery<Self> {
    all.where(column, value)
  }

  /// The query of the records in which a column compares so with a value.
  public static func `where`(
    _ column: String, _ sign: QueryOperator, _ value: (any DatabaseValueConvertible)?
  ) -> RecordQuery<Self> {
    all.where(column, sign, value)
  }

  /// All records.
  public static func records(in database: Database? = nil) throws(DatabaseError) -> [Self] {
    try all.records(in: database)
  }

  /// The record of a key; nil where there is none.
  public static func load(
    _ key: some DatabaseValueConvertible, in database: Database? = nil
  ) throws(DatabaseError) -> Self? {
    try RecordReader(database: .named(database)).record(self, key.databaseValue)
  }

  /// The record with the least key; nil where there is none.
  public static func first(in database: Database? = nil) throws(DatabaseError) -> Self? { try all.first(in: database) }

  /// The record with the greatest key; nil where there is none.
  public static func last(in database: Database? = nil) throws(DatabaseError) -> Self? { try all.last(in: database) }

  /// The number of records.
  public static func count(in database: Database? = nil) throws(DatabaseError) -> Int { try all.count(in: database) }
}
