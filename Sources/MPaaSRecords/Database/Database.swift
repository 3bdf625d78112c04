import MPaaSLock
import MPaaSSQLite

/// A SQLite database of an app, which all threads may use; one at a time does.
///
/// ```swift
/// let database = try Database(path: folder + "/blogs.sqlite")
/// try Query("blogs").set("title", "Hello").insert(in: database)
/// ```
public final class Database: Sendable {
  /// The file; `:memory:` is a database of its own in memory.
  public let path: String
  private let owned: OwnedConnection
  /// The tables of records that were looked at, and need no look any more.
  private let readyTables = Lock(Set<String>())

  /// Opens a database, and makes it where it is missing.
  ///
  /// - Parameter isReadOnly: Opens a file that is there, and refuses all changes.
  /// - Throws: `database-cannot-open`, `database-damaged`, `database-busy`.
  public init(path: String, isReadOnly: Bool = false) throws(DatabaseError) {
    self.path = path
    do throws(SQLiteError) {
      let connection = try SQLiteDatabase(path, isReadOnly ? .readOnly : .readWrite, durability: .normal)
      connection.refuseQuotedTexts()
      owned = OwnedConnection(connection)
    } catch { throw DatabaseError(error) }
  }

  private static let sharedDatabase = Lock<Database?>(nil)

  /// The database that calls without one of their own use; nil at first, and to close it.
  public static var shared: Database? {
    get { sharedDatabase.withLock { $0 } }
    set { sharedDatabase.withLock { $0 = newValue } }
  }

  /// The database that was named, else the shared one.
  ///
  /// - Throws: `database-none`.
  static func named(_ database: Database?) throws(DatabaseError) -> Database {
    guard let found = database ?? shared else { throw DatabaseError(.noDatabase) }
    return found
  }

  /// Does all of `body`, or nothing where that throws, with one wait for the disk.
  ///
  /// All calls that `body` makes belong to it, another `batch` too; other threads wait until it is over.
  public func batch<Value>(_ body: () throws -> Value) throws -> Value { try framed(body) { $0 } }

  /// Does the same for what throws the database's errors alone.
  func atomically<Value>(_ body: () throws(DatabaseError) -> Value) throws(DatabaseError) -> Value {
    try framed(body) { $0 }
  }

  private func framed<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value, _ failure: (DatabaseError) -> Failure
  ) throws(Failure) -> Value {
    try owned.use { connection throws(Failure) in
      let frame: BatchFrame
      do throws(DatabaseError) { frame = try BatchFrame(connection) } catch { throw failure(error) }
      do throws(Failure) {
        let value = try body()
        do throws(DatabaseError) { try frame.finish() } catch { throw failure(error) }
        return value
      } catch {
        frame.undo()
        // A table that the batch made is gone again.
        forgetTables()
        throw error
      }
    }
  }

  /// Looks at a table once, by `body`.
  func prepare(_ table: String, _ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    try owned.use { _ throws(DatabaseError) in
      if readyTables.withLock({ $0.contains(table) }) { return }
      try body()
      readyTables.withLock { _ = $0.insert(table) }
    }
  }

  /// Forgets what is known of tables, as after a definition was changed.
  func forgetTables() { readyTables.withLock { $0 = [] } }
}

extension Database {
  /// Keeps other threads out while `body` makes several calls.
  func exclusively<Value>(_ body: () throws(DatabaseError) -> Value) throws(DatabaseError) -> Value {
    try owned.use { _ throws(DatabaseError) in try body() }
  }

  /// Runs a statement.
  ///
  /// - Returns: The number of rows that it changed, and the row that was inserted last.
  @discardableResult
  func run(_ statement: SQLText) throws(DatabaseError) -> (changes: Int, lastRow: Int64) {
    try owned.use { connection throws(DatabaseError) in
      let before = connection.totalChanges
      do throws(SQLiteError) { try connection.run(statement.text, statement.bindings) } catch {
        throw DatabaseError(error)
      }
      return (connection.totalChanges == before ? 0 : connection.changes, connection.lastRow)
    }
  }

  /// The rows of a query.
  func rows(_ statement: SQLText) throws(DatabaseError) -> [Row] {
    try owned.use { connection throws(DatabaseError) in
      var names: RowNames?
      do throws(SQLiteError) {
        return try connection.rows(statement.text, statement.bindings) { row in
          let known = names ?? RowNames(row)
          names = known
          return Row(names: known, values: (0..<row.count).map { DatabaseValue(row[$0]) })
        }
      } catch { throw DatabaseError(error) }
    }
  }

  /// Runs statements of the app's own, which may give rows, with values in place of their question marks.
  ///
  /// - Returns: The rows that it gives.
  @discardableResult
  public func execute(_ sql: String, _ values: [DatabaseValue] = []) throws(DatabaseError) -> [Row] {
    forgetTables()
    return try rows(SQLText(sql, values))
  }
}
