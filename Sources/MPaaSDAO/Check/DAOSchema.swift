import CSQLite
import MPaaSSQLite

/// The tables that a document's initializer makes, and the columns that its queries give.
package struct DAOSchema {
  /// A column of a query.
  package struct Column: Sendable, Hashable {
    package let name: String
    /// The type that the table's definition gives it; nil where it is no column of a table, or has none.
    package let declared: String?
  }

  private let database: DAOTrialDatabase
  private let table: String
  /// The types that the columns of all tables are declared with, by their names in small letters.
  package let types: [String: Set<String>]

  /// Makes the tables in memory.
  ///
  /// - Throws: `dao-sql` where SQLite refuses the initializer.
  package init(_ program: DAOProgram) throws(DAOError) {
    database = try DAOTrialDatabase(size: program.document.size)
    table = program.document.tableName ?? "dao_table"
    if let name = program.document.initializer {
      let method = try program.method(name, [])
      try database.run(method.units, Self.scope(method, table))
    }
    types = database.columnTypes()
  }

  private static func scope(_ method: DAOProgram.Method, _ table: String) -> DAOScope {
    let slots = [DAOValue](repeating: .null, count: method.slotCount)
    return DAOScope(slots: slots, globals: [:], table: table, secrets: [], crypt: nil)
  }

  /// The columns of a select, those of all forms that it can take; nil where nothing tells them.
  package func columns(of method: DAOProgram.Method) -> [Column]? {
    guard let unit = method.units.first, !DAONode.haveRawReferences(unit.nodes) else { return nil }
    let column = database.columns(of: table).first ?? "rowid"
    var work = DAOVariants.allWork
    let variants = DAOVariants(unit, Self.scope(method, table), column: column)
    guard let statements = try? variants.statements(within: &work) else { return nil }
    // Each column once, by its name.
    var found: [Column] = []
    var places: [String: Int] = [:]
    for sql in statements {
      guard let columns = database.columns(ofQuery: sql) else { return nil }
      for column in columns {
        if let place = places[column.name] {
          // The type of a name that stands for different columns in two forms is open.
          if found[place] != column { found[place] = Column(name: column.name, declared: nil) }
        } else {
          places[column.name] = found.count
          found.append(column)
        }
      }
    }
    return found.isEmpty ? nil : found
  }
}

extension DAOTrialDatabase {
  /// The columns of a query; nil where SQLite refuses it.
  func columns(ofQuery sql: String) -> [DAOSchema.Column]? {
    guard let statement = statement(sql) else { return nil }
    return (0..<sqlite3_column_count(statement.pointer)).map { place in
      DAOSchema.Column(
        name: sqlite3_column_name(statement.pointer, place).map { String(cString: $0) } ?? "",
        declared: sqlite3_column_decltype(statement.pointer, place).map { String(cString: $0).lowercased() })
    }
  }

  /// The types of the columns of all tables, by their names in small letters.
  func columnTypes() -> [String: Set<String>] {
    let sql = """
      select lower(c.name), lower(c.type) from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'
      """
    var types: [String: Set<String>] = [:]
    for (name, type) in rows(sql) { types[name, default: []].insert(type) }
    return types
  }
}
