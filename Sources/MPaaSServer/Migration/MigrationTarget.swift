import MPaaSDatabase
import MPaaSSupport

/// The database that rows are moved to, with the mark of the migration and the place that each table has come to.
struct MigrationTarget {
  /// The place that a table has come to.
  struct Place {
    enum State: String {
      case copying
      case copied
      /// It was found to be other than that of the source, and is copied anew.
      case differs
    }

    var state = State.copying
    /// The key of the last row that is there; nil where none is.
    var last: [SQLValue]?
    var rows: Int64 = 0
  }

  private static let places = "mpaas_migration_tables"

  let database: any SQLDatabase

  /// Makes the mark, and the table of places.
  func begin(_ mark: UnfinishedMigration) throws {
    try database.transaction {
      try database.run(
        "CREATE TABLE \(UnfinishedMigration.table) (folder TEXT NOT NULL, source TEXT NOT NULL) STRICT")
      try database.run(
        """
        CREATE TABLE \(Self.places) (
          name TEXT PRIMARY KEY, state TEXT NOT NULL, last BLOB, copied INTEGER NOT NULL
        ) STRICT
        """)
      try database.run(
        "INSERT INTO \(UnfinishedMigration.table) (folder, source) VALUES (?, ?)",
        [.text(mark.folder), .text(mark.source)])
    }
  }

  /// Forgets the places and takes the mark away.
  func finish() throws {
    try database.transaction {
      for table in [Self.places, UnfinishedMigration.table] { try database.run("DROP TABLE \(table)") }
    }
  }

  /// The place of a table; one of which something else than was copied is there is emptied, and begun anew.
  func place(of table: SQLTable) throws -> Place {
    let found = try database.row(
      "SELECT state, last, copied FROM \(Self.places) WHERE name = ?", [.text(table.name)]
    ) { row -> Place in
      guard let state = Place.State(rawValue: row.text(0)), state != .differs else { return Place(state: .differs) }
      guard !row.isNull(1) else { return Place(state: state, rows: row.integer(2)) }
      guard let last = ValueBytes.values(row.blob(1)), last.count == table.key.count else {
        return Place(state: .differs)
      }
      return Place(state: state, last: last, rows: row.integer(2))
    }
    guard let found else { return Place() }
    guard found.state == .differs else { return found }
    try database.transaction {
      try database.run("DELETE FROM \(table.quoted)")
      try save(Place(), of: table)
    }
    return Place()
  }

  /// Adds rows and the place behind them, both or neither.
  func add(_ rows: [[SQLValue]], _ place: Place, to table: SQLTable) throws {
    try database.transaction {
      for group in groups(rows) {
        try database.run(overRows: group) { "INSERT INTO \(table.quoted) (\(table.columnList)) VALUES \($0)" }
      }
      try save(place, of: table)
    }
  }

  /// Notes tables that differ, to be copied anew.
  func noteDiffering(_ tables: [SQLTable]) throws {
    try database.transaction { for table in tables { try save(Place(state: .differs), of: table) } }
  }

  private func save(_ place: Place, of table: SQLTable) throws(SQLError) {
    var bytes: [UInt8] = []
    for value in place.last ?? [] { ValueBytes.append(value, to: &bytes) }
    try database.run(
      """
      INSERT INTO \(Self.places) (name, state, last, copied) VALUES (?, ?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET state = excluded.state, last = excluded.last, copied = excluded.copied
      """,
      [
        .text(table.name), .text(place.state.rawValue), place.last == nil ? .null : .blob(bytes), .integer(place.rows),
      ])
  }

  /// Rows by the places of their nulls: PostgreSQL has a statement of its own for each of these.
  private func groups(_ rows: [[SQLValue]]) -> [[[SQLValue]]] {
    guard database.isRemote else { return [rows] }
    let groups = Dictionary(grouping: rows) { row in
      row.indices.reduce(UInt64(0)) { row[$1] == .null ? $0 | 1 << ($1 % 64) : $0 }
    }
    return groups.sorted { $0.key < $1.key }.map(\.value)
  }
}
