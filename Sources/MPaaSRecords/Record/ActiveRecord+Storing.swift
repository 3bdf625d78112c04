// Stores records; without a database of their own in the shared one.
extension ActiveRecord {
  /// Makes the table of the type, or adds the columns that it lacks; the other calls do so by themselves.
  public static func createTable(in database: Database? = nil) throws(DatabaseError) {
    try RecordSchema.of(self).prepare(in: .named(database))
  }

  /// Stores the record, and those in it: a new row, or the one that has its key.
  ///
  /// A record without a key (nil, or 0 where it cannot be nil) gets one, and so do those in it.
  public mutating func save(in database: Database? = nil) throws(DatabaseError) {
    try write(.save, in: .named(database))
  }

  /// The record as it is once it was stored.
  @discardableResult
  public func saved(in database: Database? = nil) throws(DatabaseError) -> Self {
    var copy = self
    try copy.save(in: database)
    return copy
  }

  /// Stores the record as a new row.
  ///
  /// - Throws: `database-constraint` where its key is there already.
  public mutating func insert(in database: Database? = nil) throws(DatabaseError) {
    try write(.insert, in: .named(database))
  }

  /// Stores the record in the row that has its key.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public mutating func update(in database: Database? = nil) throws(DatabaseError) -> Bool {
    try write(.update, in: .named(database))
  }

  /// Stores records, all or none of them.
  ///
  /// - Returns: The records with their keys.
  @discardableResult
  public static func save(_ records: [Self], in database: Database? = nil) throws(DatabaseError) -> [Self] {
    let database = try Database.named(database)
    return try database.atomically { () throws(DatabaseError) in
      try records.map { record throws(DatabaseError) in try record.saved(in: database) }
    }
  }

  /// Deletes the record's row, and its links to those of lists; nested records stay.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: `record-key` where it was never stored.
  @discardableResult
  public func delete(in database: Database? = nil) throws(DatabaseError) -> Bool {
    try Self.all.where(RecordSchema.of(Self.self).key.name, key()).delete(in: database) > 0
  }

  /// Tells whether there is a row with the record's key.
  public func exists(in database: Database? = nil) throws(DatabaseError) -> Bool {
    let schema = try RecordSchema.of(Self.self)
    guard let key = schema.key(in: try RowEncoder.fields(of: self, isNested: RecordRelation.isNested)) else {
      return false
    }
    return try Self.where(schema.key.name, key).count(in: database) > 0
  }

  /// Loads the record anew.
  ///
  /// - Returns: Whether it is there.
  @discardableResult
  public mutating func load(in database: Database? = nil) throws(DatabaseError) -> Bool {
    guard let found = try RecordReader(database: .named(database)).record(Self.self, key()) else { return false }
    self = found
    return true
  }

  /// The key of the record.
  ///
  /// - Throws: `record-key` where it has none yet.
  func key() throws(DatabaseError) -> DatabaseValue {
    let schema = try RecordSchema.of(Self.self)
    let fields = try RowEncoder.fields(of: self, isNested: RecordRelation.isNested)
    guard let key = schema.key(in: fields) else { throw DatabaseError(.recordKey, ["type": schema.table]) }
    return key
  }

  @discardableResult
  private mutating func write(
    _ manner: RecordWriter.Manner, in database: Database
  ) throws(DatabaseError) -> Bool {
    let record = self
    let stored = try database.atomically { () throws(DatabaseError) -> (isThere: Bool, record: Self?) in
      guard let (key, isNew) = try RecordWriter(database: database).write(record, manner) else { return (false, nil) }
      // Keys that were given now are known by loading them.
      let hasNested = try RecordSchema.of(Self.self).hasNested
      guard isNew || hasNested else { return (true, nil) }
      return (true, try RecordReader(database: database).record(Self.self, key))
    }
    if let record = stored.record { self = record }
    return stored.isThere
  }
}
