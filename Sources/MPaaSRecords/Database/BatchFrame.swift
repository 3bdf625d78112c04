import MPaaSSQLite

/// A transaction, or a savepoint of the one that is open.
struct BatchFrame {
  private let connection: SQLiteDatabase
  private let isInner: Bool

  /// Begins it.
  init(_ connection: SQLiteDatabase) throws(DatabaseError) {
    self.connection = connection
    isInner = connection.isInTransaction
    do throws(SQLiteError) { try connection.run(isInner ? "SAVEPOINT batch" : "BEGIN IMMEDIATE") } catch {
      throw DatabaseError(error)
    }
  }

  /// Makes its changes last.
  func finish() throws(DatabaseError) {
    do throws(SQLiteError) { try connection.run(isInner ? "RELEASE batch" : "COMMIT") } catch {
      throw DatabaseError(error)
    }
  }

  /// Takes its changes back.
  func undo() {
    // SQLite may have taken all back by itself, as on a full disk.
    guard connection.isInTransaction else { return }
    if isInner { try? connection.run("ROLLBACK TO batch") }
    try? connection.run(isInner ? "RELEASE batch" : "ROLLBACK")
  }
}
