import MPaaSDatabase
import MPaaSSupport

/// The mark of a database that a console's rows are still being moved to: a table beside those of the console.
struct UnfinishedMigration: Equatable {
  static let table = "mpaas_migration"

  /// The name of the data folder that the console belongs to.
  let folder: String
  /// The database that the rows come from, without a password.
  let source: String

  /// The mark of a database; nil where it has none.
  static func mark(of database: any SQLDatabase) throws(SQLError) -> UnfinishedMigration? {
    guard try database.hasTable(table) else { return nil }
    return try database.row("SELECT folder, source FROM \(table)") {
      UnfinishedMigration(folder: $0.text(0), source: $0.text(1))
    }
  }

  /// Passes a database that holds a whole console, or none.
  ///
  /// - Throws: `migration-unfinished`, `SQLError`.
  static func check(_ database: any SQLDatabase) throws {
    guard let mark = try mark(of: database) else { return }
    throw ServerError(.migrationUnfinished, ["file": database.path, "source": mark.source])
  }
}
