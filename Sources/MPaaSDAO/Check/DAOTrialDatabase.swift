import CSQLite
import MPaaSSQLite

/// A database in memory in which a document's statements are tried; it can reach no file, and no statement runs for long.
struct DAOTrialDatabase {
  private let database: SQLiteDatabase
  private let effort: DAOTrialEffort

  /// - Parameter size: The bytes of the document.
  init(size: Int) throws(DAOError) {
    effort = DAOTrialEffort(size: size)
    do {
      database = try SQLiteDatabase(":memory:")
    } catch {
      throw DAOConnection.refusal(error)
    }
    database.refuseQuotedTexts()
    sqlite3_limit(database.pointer, SQLITE_LIMIT_ATTACHED, 0)
    sqlite3_limit(database.pointer, SQLITE_LIMIT_LENGTH, 100_000)
    try run("PRAGMA max_page_count = 16384")
    effort.bound(database)
  }

  /// Runs a statement.
  ///
  /// - Throws: `dao-sql`.
  func run(_ sql: String) throws(DAOError) {
    try effort.check(sql)
    do {
      try database.run(sql)
    } catch {
      throw DAOConnection.refusal(error)
    }
  }

  /// Runs the statements of units with every argument nil.
  func run(_ units: [DAOUnit], _ scope: DAOScope) throws(DAOError) {
    for unit in units {
      guard let statement = try DAOFormatter.statement(unit, scope) else { continue }
      do {
        try run(statement.sql)
      } catch  where unit.isResumable {
        continue
      } catch {
        throw error.placed(at: unit.position)
      }
    }
  }

  /// Prepares a statement without running it.
  ///
  /// - Throws: `dao-sql`.
  func prepare(_ sql: String) throws(DAOError) {
    try effort.check(sql)
    do {
      _ = try database.columnCount(of: sql)
    } catch {
      throw DAOConnection.refusal(error)
    }
  }

  /// The prepared statement of a query; nil where SQLite refuses it.
  func statement(_ sql: String) -> SQLiteStatement? {
    guard (try? effort.check(sql)) != nil else { return nil }
    return try? database.statement(sql)
  }

  /// The first two columns of a query's rows; none where it cannot run.
  func rows(_ sql: String) -> [(String, String)] { (try? database.rows(sql) { ($0.text(0), $0.text(1)) }) ?? [] }

  /// Does `body`, and takes all back that it did.
  func undoing(_ body: () throws(DAOError) -> Void) throws(DAOError) {
    try run("SAVEPOINT trial")
    defer {
      try? run("ROLLBACK TO trial")
      try? run("RELEASE trial")
    }
    try body()
  }

  /// The names of a table's columns.
  func columns(of table: String) -> [String] {
    (try? database.rows("select name from pragma_table_info(?)", [.text(table)]) { $0.text(0) }) ?? []
  }

  /// Tells whether SQLite would read a whole table for a query.
  func scans(_ table: String, _ sql: String) -> Bool {
    let plan = try? database.rows("EXPLAIN QUERY PLAN \(sql)") { $0.text(3) }
    return plan?.contains { $0 == "SCAN \(table)" } ?? false
  }
}
