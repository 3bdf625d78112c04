import MPaaSLock

/// The place in which a member of a record is kept.
enum RecordRelation: Sendable {
  /// The column itself.
  case column
  /// A record of its own, whose key the column has.
  case one(any ActiveRecord.Type)
  /// Records of their own, which a table of links names.
  case many(any ActiveRecord.Type)

  init(_ type: any Any.Type) {
    if let record = type as? any ActiveRecord.Type {
      self = .one(record)
    } else if let list = type as? any RecordList.Type {
      self = .many(list.element)
    } else {
      self = .column
    }
  }

  /// Tells whether a member of a type is kept in a table of its own.
  static func isNested(_ type: any Any.Type) -> Bool {
    if case .column = RecordRelation(type) { false } else { true }
  }
}

/// The table of a type of records.
struct RecordSchema: Sendable {
  struct Field: Sendable {
    let name: String
    let type: ColumnType
    /// The value of rows that were there before the column was.
    let blank: DatabaseValue
    let isOptional: Bool
    let relation: RecordRelation
  }

  let table: String
  let key: Field
  let fields: [Field]

  private static let known = Lock([ObjectIdentifier: RecordSchema]())

  /// The table of a type, found once.
  ///
  /// - Throws: `record-fields` where the members cannot be found, `record-key` where none can be the key.
  static func of<Record: ActiveRecord>(_ type: Record.Type) throws(DatabaseError) -> RecordSchema {
    let id = ObjectIdentifier(type)
    if let schema = known.withLock({ $0[id] }) { return schema }
    let schema = try RecordSchema(type)
    known.withLock { $0[id] = schema }
    return schema
  }

  private init<Record: ActiveRecord>(_ type: Record.Type) throws(DatabaseError) {
    let encoded = try RowEncoder.fields(of: type.blank(), isNested: RecordRelation.isNested)
    let fields = encoded.map { field in
      Field(
        name: field.name, type: field.type, blank: field.value, isOptional: field.isOptional,
        relation: RecordRelation(field.memberType))
    }
    let columns = fields.filter { if case .column = $0.relation { true } else { false } }
    let key =
      if let name = type.primaryKey { columns.first { $0.name == name } } else {
        columns.first { $0.name == "id" } ?? columns.first { $0.type == .integer }
      }
    guard let key else { throw DatabaseError(.recordKey, ["type": "\(type)"]) }
    (table, self.key, self.fields) = (type.tableName, key, fields)
  }

  /// The table that links the records of a list to their owner.
  func links(_ field: Field) -> String { "\(table)_\(field.name)" }

  /// The members that are lists of records.
  var lists: [(field: Field, element: any ActiveRecord.Type)] {
    fields.compactMap { field in if case .many(let element) = field.relation { (field, element) } else { nil } }
  }

  /// Tells whether some member is a record, or a list of them.
  var hasNested: Bool { fields.contains { if case .column = $0.relation { false } else { true } } }
}

extension ActiveRecord {
  /// The table of the record's type.
  func schema() throws(DatabaseError) -> RecordSchema { try RecordSchema.of(Self.self) }

  static func blank() throws(DatabaseError) -> Self {
    if let sample { return sample }
    do { return try BlankDecoder.blank(Self.self) } catch {
      throw DatabaseError(.recordFields, DecodingFault(error, of: "\(Self.self)").values)
    }
  }
}
