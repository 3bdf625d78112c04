import CSQLite
import MPaaSSupport
package import MPaaSTime

/// One connection to a SQLite database, with its prepared statements; for one thread at a time.
///
/// A connection that several threads share stands in an actor, or behind a mutex.
package final class SQLiteDatabase {
  /// The permitted uses of the file.
  package enum Access: Sendable {
    /// It is made where it is missing.
    case readWrite
    case readOnly
  }

  /// The safety of a transaction that has ended (PRAGMA synchronous).
  package enum Durability: String, Sendable {
    /// Survives loss of power.
    case full = "FULL"
    /// Survives the end of the process; the last transactions may be lost with the power, the file stays whole.
    case normal = "NORMAL"
  }

  /// The file; `:memory:` is a database of its own in memory.
  package let path: String
  let handle: OpaquePointer
  /// The file system that encrypts; nil where the file is plain.
  let pages: PageFileSystem?
  private var statements: [String: SQLiteStatement] = [:]
  /// The number of statements that were looked up; the greatest is that of the newest use.
  private var uses: UInt64 = 0

  /// The number of statements that are kept; where there are more, the half that was not used for longest goes.
  private static let greatestCount = 512

  /// Opens a database in WAL mode.
  ///
  /// - Parameters:
  ///   - patience: How long it waits for other connections that write.
  ///   - key: The key of an encrypted database, as which a new one is made; nil for a plain one.
  /// - Throws: `SQLiteError` `database-cannot-open`, `database-damaged`, `database-busy`; with a key also
  ///   `database-key-wrong`, `database-not-encrypted`, and `database-header-damaged`.
  package convenience init(
    _ path: String, _ access: Access = .readWrite, durability: Durability = .full, patience: TimeSpan = .seconds(10),
    key: DatabaseKey? = nil
  ) throws(SQLiteError) {
    // A database in memory never reaches the disk.
    let key = path == ":memory:" ? nil : key
    if let key, access == .readWrite { try Self.makeEncrypted(path, key) }
    try self.init(path, access, try key.map { key throws(SQLiteError) in try Self.fileSystem(path, key) })
    try begin(access, durability, patience)
  }

  /// Opens a connection and sets nothing.
  ///
  /// - Parameter flags: More flags of `sqlite3_open_v2`.
  init(_ path: String, _ access: Access, _ pages: PageFileSystem?, flags more: Int32 = 0) throws(SQLiteError) {
    (self.path, self.pages) = (path, pages)
    var opened: OpaquePointer?
    let flags = access == .readWrite ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    let result = sqlite3_open_v2(
      path, &opened, flags | more | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, pages?.name)
    guard result == SQLITE_OK, let opened else {
      let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw pages?.failure().flatMap { Self.refusal($0, path) }
        ?? SQLiteError(.cannotOpen, ["file": path, "reason": reason])
    }
    handle = opened
  }

  /// Sets what holds for every connection.
  private func begin(_ access: Access, _ durability: Durability, _ patience: TimeSpan) throws(SQLiteError) {
    wait(patience)
    if access == .readWrite {
      try beginLog(patience)
      // The size to which a burst made the log grow is given back.
      try execute("PRAGMA journal_size_limit = 4194304")
      try execute("PRAGMA synchronous = \(durability.rawValue)")
    }
    try execute("PRAGMA foreign_keys = ON")
  }

  /// Has statements wait for other connections for so long.
  func wait(_ patience: TimeSpan) {
    sqlite3_busy_timeout(handle, Int32(clamping: patience.components.seconds * 1000))
  }

  /// Has changes go to a log beside the file.
  ///
  /// SQLite does not wait by itself while another connection is about to make that log.
  private func beginLog(_ patience: TimeSpan) throws(SQLiteError) {
    var pauses = patience.components.seconds * 100
    while true {
      do throws(SQLiteError) {
        return try execute("PRAGMA journal_mode = WAL")
      } catch {
        guard error.code == .busy, pauses > 0 else { throw error }
        pauses -= 1
        sqlite3_sleep(10)
      }
    }
  }

  deinit {
    // A caller that still holds a statement holds the connection, too: SQLite closes it with the last one.
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// Runs statements that give no rows, separated by semicolons.
  package func execute(_ sql: String) throws(SQLiteError) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    if result != SQLITE_OK { throw error(result) }
  }

  /// Runs one statement to its end, `values` in place of its question marks; rows that it gives are passed over.
  package func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) {
    let statement = try bound(sql, values).pointer
    defer { sqlite3_reset(statement) }
    var result = sqlite3_step(statement)
    while result == SQLITE_ROW { result = sqlite3_step(statement) }
    if result != SQLITE_DONE { throw error(result) }
  }

  /// The values that `read` makes of each row of a query.
  package func rows<Value>(
    _ sql: String, _ values: [SQLiteValue] = [], _ read: (SQLiteRow) -> Value
  ) throws(SQLiteError) -> [Value] {
    var found: [Value] = []
    try forEach(sql, values) { row in
      found.append(read(row))
      return true
    }
    return found
  }

  /// The value that `read` makes of a query's first row; nil where there is none.
  package func row<Value>(
    _ sql: String, _ values: [SQLiteValue] = [], _ read: (SQLiteRow) -> Value
  ) throws(SQLiteError) -> Value? {
    var found: Value?
    try forEach(sql, values) { row in
      found = read(row)
      return false
    }
    return found
  }

  /// Hands each row of a query to `take` until that gives false.
  package func forEach(
    _ sql: String, _ values: [SQLiteValue] = [], _ take: (SQLiteRow) -> Bool
  ) throws(SQLiteError) {
    let bound = try bound(sql, values)
    defer { sqlite3_reset(bound.pointer) }
    while true {
      let result = sqlite3_step(bound.pointer)
      if result == SQLITE_DONE { return }
      guard result == SQLITE_ROW else { throw error(result) }
      guard take(SQLiteRow(bound.pointer)) else { return }
    }
  }

  /// Does all of `body` or, where that throws, nothing; the right to write is taken at the beginning.
  package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try run("BEGIN IMMEDIATE")
    do {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      try? run("ROLLBACK")
      throw error
    }
  }

  /// Brings the tables to the newest form: `steps[n]` leads from version n to n + 1 (PRAGMA user_version).
  ///
  /// - Throws: `SQLiteError` `database-newer` where the file is ahead of `steps`.
  package func migrate(_ steps: [String]) throws {
    let version = try row("PRAGMA user_version") { Int($0.integer(0)) } ?? 0
    guard version <= steps.count else { throw SQLiteError(.newer, ["file": path, "version": String(version)]) }
    for step in version..<steps.count {
      try transaction {
        // Another process may have been faster.
        let now = try row("PRAGMA user_version") { Int($0.integer(0)) }
        guard now == step else { return }
        try execute(steps[step])
        try execute("PRAGMA user_version = \(step + 1)")
      }
    }
  }

  /// The number of rows that the last statement changed.
  package var changes: Int { Int(sqlite3_changes64(handle)) }
  /// The number of rows that all statements changed, with those of triggers.
  package var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }
  /// The row that was inserted last.
  package var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }
  /// Tells whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
  /// The pointer that SQLite's own functions take; valid as long as the database lives.
  package var pointer: OpaquePointer { handle }

  /// Takes names in double quotes for names alone: without this SQLite takes those that it does not know for texts.
  package func refuseQuotedTexts() {
    mp_sqlite_refuse_quoted_texts(handle)
  }

  /// Prepares a statement without running it.
  ///
  /// - Returns: The number of the columns that it gives.
  package func columnCount(of sql: String) throws(SQLiteError) -> Int {
    Int(sqlite3_column_count(try statement(sql).pointer))
  }

  private func bound(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> SQLiteStatement {
    let statement = try statement(sql)
    // As many values as question marks take the places of all those before.
    if statement.parameterCount != values.count { sqlite3_clear_bindings(statement.pointer) }
    for (index, value) in values.enumerated() {
      let result = Self.bind(value, to: statement.pointer, at: Int32(index + 1))
      if result != SQLITE_OK { throw error(result) }
    }
    return statement
  }

  /// The prepared statement of a text, which is prepared once.
  package func statement(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    uses += 1
    if let found = statements[sql] {
      found.lastUse = uses
      return found
    }
    let statement = SQLiteStatement(try compiled(sql))
    statement.lastUse = uses
    if statements.count >= Self.greatestCount { forgetOldest() }
    statements[sql] = statement
    return statement
  }

  /// Prepares one statement; anything but white space and comments behind it is refused.
  private func compiled(_ sql: String) throws(SQLiteError) -> OpaquePointer {
    var statement: OpaquePointer?
    var other: OpaquePointer?
    var result: Int32 = SQLITE_OK
    sql.withCString { text in
      var rest: UnsafePointer<CChar>?
      result = sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, &rest)
      while result == SQLITE_OK, other == nil, let tail = rest, tail.pointee != 0 {
        result = sqlite3_prepare_v3(handle, tail, -1, 0, &other, &rest)
      }
    }
    guard result == SQLITE_OK, other == nil, let statement else {
      let reason = statement == nil ? "not a statement" : "more than one statement"
      let failure = result == SQLITE_OK ? SQLiteError(.failed, ["file": path, "reason": reason]) : error(result)
      sqlite3_finalize(statement)
      sqlite3_finalize(other)
      throw failure
    }
    return statement
  }

  /// Gives the statements back that were not used for longest; one that somebody holds stays with that one.
  private func forgetOldest() {
    let bound = statements.values.map(\.lastUse).sorted()[statements.count / 2]
    for (sql, statement) in statements where statement.lastUse <= bound { statements[sql] = nil }
  }

  private static func bind(_ value: SQLiteValue, to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch value {
    case .null: return sqlite3_bind_null(statement, index)
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .real(let number): return sqlite3_bind_double(statement, index, number)
    case .blob(let bytes):
      return bytes.withUnsafeBytes { mp_sqlite_bind_blob(statement, index, $0.baseAddress, Int64($0.count)) }
    case .text(var text):
      return text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) {
          mp_sqlite_bind_text(statement, index, $0.baseAddress, Int64($0.count))
        }
      }
    }
  }

  /// The reason that SQLite gives for a result that is none.
  package func error(_ result: Int32) -> SQLiteError {
    if let refusal = pageRefusal(result) { return refusal }
    let code: SQLiteError.Code =
      switch result & 0xff {
      case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_READONLY: .cannotOpen
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_FULL: .full
      case SQLITE_CONSTRAINT: .constraint
      default: .failed
      }
    return SQLiteError(code, ["file": path, "reason": String(cString: sqlite3_errmsg(handle))])
  }
}
