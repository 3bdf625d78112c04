// The tables of records, made and extended once for each database.
extension RecordSchema {
  /// Makes the tables of the type, or adds columns that they lack.
  func prepare(in database: Database) throws(DatabaseError) {
    try database.prepare(table) { () throws(DatabaseError) in
      try definition().createOrExtend(in: database)
      for (field, element) in lists {
        let links = Table(links(field))
        try links.field("owner", key.type).notNull().field("position", .integer).notNull()
          .field("record", RecordSchema.of(element).key.type).notNull().createIfNotExists(in: database)
        try links.createIndex(on: "owner", "position", isUnique: true, in: database)
        try links.createIndex(on: "record", in: database)
      }
    }
  }

  private func definition() throws(DatabaseError) -> Table {
    var table = Table(table)
    for field in fields {
      switch field.relation {
      case .many: continue
      case .one(let type):
        table = table.adding(TableField(name: field.name, type: try RecordSchema.of(type).key.type))
      case .column: table = table.adding(definition(of: field))
      }
    }
    return table
  }

  private func definition(of field: Field) -> TableField {
    var column = TableField(name: field.name, type: field.type)
    if field.name == key.name {
      column.isPrimaryKey = true
      column.countsItself = field.type == .integer
    } else if !field.isOptional, field.blank != .null {
      column.isRequired = true
      column.fallback = field.blank
    }
    return column
  }
}
