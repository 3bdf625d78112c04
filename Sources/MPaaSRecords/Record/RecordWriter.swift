/// Stores records with those in them; all of it is one batch.
struct RecordWriter {
  /// The way in which a record is stored.
  enum Manner { case save, insert, update }

  let database: Database

  /// Stores a record.
  ///
  /// - Returns: Its key, and whether it got that now; nil where it was to be changed and is not there.
  func write<Record: ActiveRecord>(
    _ record: Record, _ manner: Manner = .save
  ) throws(DatabaseError) -> (key: DatabaseValue, isNew: Bool)? {
    let schema = try RecordSchema.of(Record.self)
    try schema.prepare(in: database)
    let fields = try RowEncoder.fields(of: record, isNested: RecordRelation.isNested)
    var query = Query(schema.table)
    for field in fields {
      switch RecordRelation(field.memberType) {
      case .many: continue
      case .column: query = query.set(field.name, field.value)
      case .one:
        let nested = field.member as? any ActiveRecord
        query = query.set(field.name, try nested.map { nested throws(DatabaseError) in try key(of: nested) })
      }
    }
    guard let (key, isNew) = try store(query, schema, fields, manner) else { return nil }
    for field in fields {
      guard let list = field.member as? any RecordList, RecordRelation.isNested(field.memberType) else { continue }
      try link(list.records, schema, field.name, key)
    }
    return (key, isNew)
  }

  private func store(
    _ query: Query, _ schema: RecordSchema, _ fields: [EncodedField], _ manner: Manner
  ) throws(DatabaseError) -> (DatabaseValue, Bool)? {
    let key = schema.key(in: fields)
    switch manner {
    case .update:
      guard let key else { throw DatabaseError(.recordKey, ["type": schema.table]) }
      let row = Query(schema.table).where(schema.key.name, key)
      guard try row.count(in: database) > 0 else { return nil }
      try query.where(schema.key.name, key).update(in: database)
      return (key, false)
    case .insert where key != nil:
      try query.insert(in: database)
    case .save where key != nil:
      try query.insertOrUpdate(by: schema.key.name, in: database)
    default:
      guard schema.key.type == .integer else { throw DatabaseError(.recordKey, ["type": schema.table]) }
      return (.integer(try query.without(schema.key.name).insert(in: database)), true)
    }
    return key.map { ($0, false) }
  }

  /// The key of a nested record, which is stored first.
  private func key(of record: some ActiveRecord) throws(DatabaseError) -> DatabaseValue {
    try write(record)?.key ?? .null
  }

  private func link(
    _ records: [any ActiveRecord], _ schema: RecordSchema, _ name: String, _ owner: DatabaseValue
  ) throws(DatabaseError) {
    guard let (field, _) = schema.lists.first(where: { $0.field.name == name }) else { return }
    let links = Query(schema.links(field))
    try links.where("owner", owner).delete(in: database)
    for (position, record) in records.enumerated() {
      try links.set("owner", owner).set("position", position).set("record", key(of: record)).insert(in: database)
    }
  }
}

extension RecordSchema {
  /// The key of a record; nil where it has none yet: no value, or 0 where it always has one.
  func key(in fields: [EncodedField]) -> DatabaseValue? {
    guard let field = fields.first(where: { $0.name == key.name }), field.value != .null else { return nil }
    if !key.isOptional, field.value == .integer(0) { return nil }
    return field.value
  }
}

extension Query {
  /// The query without the value of a column.
  func without(_ column: String) -> Query { with { $0.assignments.removeAll { $0.column == column } } }
}
