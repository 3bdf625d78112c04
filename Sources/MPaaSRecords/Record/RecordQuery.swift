/// A query of records, put together part by part as `Query` is.
public struct RecordQuery<Record: ActiveRecord>: QueryBuilding {
  /// The query of the type's table.
  public var query: Query

  /// Creates the query of all records.
  public init() { query = Query(Record.tableName) }

  /// The records.
  public func records(in database: Database? = nil) throws(DatabaseError) -> [Record] {
    try RecordReader(database: .named(database)).records(Record.self, query)
  }

  /// The first record, by the key where the query has no order; nil where there is none.
  public func first(in database: Database? = nil) throws(DatabaseError) -> Record? {
    guard query.limit == nil else { return try records(in: database).first }
    return try ordered().limit(1).records(in: database).first
  }

  /// The last record, by the key where the query has no order; nil where there is none.
  public func last(in database: Database? = nil) throws(DatabaseError) -> Record? {
    guard query.limit == nil, query.offset == nil else { return try records(in: database).last }
    return try ordered().with { query in query.orders = query.orders.map(\.reversed) }.limit(1).records(in: database)
      .first
  }

  /// The first record that has a key; nil where there is none.
  public func first(id: some DatabaseValueConvertible, in database: Database? = nil) throws(DatabaseError) -> Record? {
    try `where`(RecordSchema.of(Record.self).key.name, id).first(in: database)
  }

  /// The last record that has a key; nil where there is none.
  public func last(id: some DatabaseValueConvertible, in database: Database? = nil) throws(DatabaseError) -> Record? {
    try `where`(RecordSchema.of(Record.self).key.name, id).last(in: database)
  }

  /// The number of records.
  public func count(in database: Database? = nil) throws(DatabaseError) -> Int {
    try prepared(database) { database throws(DatabaseError) in try query.count(in: database) }
  }

  /// Writes the values that were set into the records.
  ///
  /// - Returns: The number of records that were changed.
  @discardableResult
  public func update(in database: Database? = nil) throws(DatabaseError) -> Int {
    try prepared(database) { database throws(DatabaseError) in try query.update(in: database) }
  }

  /// Deletes the records, and their links to those of lists; nested records stay.
  ///
  /// - Returns: The number of records that were deleted.
  /// - Throws: `query-incomplete` where the query has no conditions.
  @discardableResult
  public func delete(in database: Database? = nil) throws(DatabaseError) -> Int {
    try prepared(database) { database throws(DatabaseError) in
      let schema = try RecordSchema.of(Record.self)
      return try database.atomically { () throws(DatabaseError) in
        // Refused before anything is done where it has no conditions.
        _ = try query.deletion()
        let keys = query.with { $0.selected = [] }.select(schema.key.name)
        for (field, _) in schema.lists { try Query(schema.links(field)).whereIn("owner", keys).delete(in: database) }
        return try query.delete(in: database)
      }
    }
  }

  /// Keeps the records that are in a list of an owner, in which order says `position`.
  ///
  /// - Throws: `record-key` where the owner has none yet; `row-column` where it has no list of the name.
  public func belonging<Owner: ActiveRecord>(
    to owner: Owner, in list: String
  ) throws(DatabaseError) -> RecordQuery {
    let schema = try RecordSchema.of(Owner.self), own = try RecordSchema.of(Record.self)
    guard let (field, _) = schema.lists.first(where: { $0.field.name == list }) else {
      throw DatabaseError(.column, ["column": list, "type": "[\(Record.self)]", "found": "nothing"])
    }
    let links = Query(schema.links(field)).select("record").where("owner", try owner.key())
    return whereIn(own.key.name, links)
  }

  /// Keeps the records that name another one in a member.
  ///
  /// - Throws: `record-key` where the other one has none yet.
  public func naming(_ other: some ActiveRecord, in member: String) throws(DatabaseError) -> RecordQuery {
    `where`(member, try other.key())
  }

  private func ordered() throws(DatabaseError) -> RecordQuery {
    query.orders.isEmpty ? orderAscending(by: try RecordSchema.of(Record.self).key.name) : self
  }

  private func prepared<Value>(
    _ database: Database?, _ body: (Database) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value {
    let database = try Database.named(database)
    try RecordSchema.of(Record.self).prepare(in: database)
    return try body(database)
  }
}

extension Query.Order {
  /// The order from the other end.
  fileprivate var reversed: Query.Order {
    switch self {
    case .column(let column, let isDescending): .column(column, isDescending: !isDescending)
    case .random: .random
    }
  }
}
