/// Makes records of rows, with those that they name.
struct RecordReader {
  /// The depth of records in records from which on they are taken for a ring.
  private static let greatestDepth = 32

  let database: Database
  var depth = 0

  /// The records of a query over a type's table.
  func records<Record: ActiveRecord>(
    _ type: Record.Type, _ query: Query
  ) throws(DatabaseError) -> [Record] {
    let schema = try RecordSchema.of(type)
    try schema.prepare(in: database)
    // No other thread changes the nested ones meanwhile.
    return try database.exclusively { () throws(DatabaseError) in
      try query.rows(in: database).map { row throws(DatabaseError) in try record(type, row, schema) }
    }
  }

  /// The record of a key; nil where there is none.
  func record<Record: ActiveRecord>(_ type: Record.Type, _ key: DatabaseValue) throws(DatabaseError) -> Record? {
    let schema = try RecordSchema.of(type)
    return try records(type, Query(schema.table).where(schema.key.name, key).limit(1)).first
  }

  private func record<Record: ActiveRecord>(
    _ type: Record.Type, _ row: Row, _ schema: RecordSchema
  ) throws(DatabaseError) -> Record {
    guard schema.hasNested else { return try row.decoded(type) }
    return try row.decoded(type) { type, name, value in
      switch RecordRelation(type) {
      case .column: return .none
      case .one(let nested): return .value(try one(nested, value ?? .null))
      case .many(let nested):
        let found = try many(nested, schema, name, row[schema.key.name] ?? .null)
        return .value((type as? any RecordList.Type)?.init(records: found))
      }
    }
  }

  private func deeper(_ schema: RecordSchema, _ key: DatabaseValue) throws(DatabaseError) -> RecordReader {
    guard depth < Self.greatestDepth else {
      throw DatabaseError(.recordAbsent, ["table": schema.table, "key": "\(key)"])
    }
    return RecordReader(database: database, depth: depth + 1)
  }

  private func one(_ type: any ActiveRecord.Type, _ key: DatabaseValue) throws(DatabaseError) -> Any? {
    guard key != .null else { return nil }
    return try deeper(RecordSchema.of(type), key).record(type, key)
  }

  private func many<Record: ActiveRecord>(
    _ type: Record.Type, _ owner: RecordSchema, _ name: String, _ key: DatabaseValue
  ) throws(DatabaseError) -> [any ActiveRecord] {
    guard let (field, _) = owner.lists.first(where: { $0.field.name == name }) else { return [] }
    let schema = try RecordSchema.of(type), links = owner.links(field)
    let query = Query(schema.table).from(links).where("\(links).owner", key)
      .where("\(links).record", column: "\(schema.table).\(schema.key.name)").orderAscending(by: "\(links).position")
    return try deeper(owner, key).records(type, query)
  }
}
