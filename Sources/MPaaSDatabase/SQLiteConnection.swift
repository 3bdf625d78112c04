import MPaaSSQLite
import MPaaSSupport

/// A file of SQLite as a database of either engine.
final class SQLiteConnection: SQLDatabase {
  private let database: SQLiteDatabase

  init(_ path: String, _ access: DatabaseAddress.Access) throws(SQLError) {
    do throws(SQLiteError) {
      database = try SQLiteDatabase(path, access == .readWrite ? .readWrite : .readOnly)
    } catch {
      throw Self.told(error)
    }
  }

  var path: String { database.path }
  var changes: Int { database.changes }
  var isLost: Bool { false }
  var isRemote: Bool { false }
  private(set) var writes = 0
  func reconnect() {}

  func run(_ sql: String, _ values: [SQLValue]) throws(SQLError) {
    writes += 1
    do throws(SQLiteError) { try database.run(sql, values.map(SQLiteValue.init)) } catch { throw Self.told(error) }
  }

  func forEach(_ sql: String, _ values: [SQLValue], _ take: (SQLRow) -> Bool) throws(SQLError) {
    try forEach([SQLQuery(sql, values)], take)
  }

  func forEach(_ queries: [SQLQuery], _ take: (SQLRow) -> Bool) throws(SQLError) {
    var goesOn = true
    for query in queries where goesOn {
      if !query.isReading { writes += 1 }
      do throws(SQLiteError) {
        try database.forEach(query.sql, query.values.map(SQLiteValue.init)) { row in
          goesOn = take(SQLRow(row))
          return goesOn
        }
      } catch {
        throw Self.told(error)
      }
    }
  }

  func begin() throws(SQLError) { try run("BEGIN IMMEDIATE", []) }
  func prepareCommit() {}
  func commit() throws(SQLError) { try run("COMMIT", []) }
  func rollback() { try? run("ROLLBACK", []) }
  func mark() throws(SQLError) { try run("SAVEPOINT change", []) }
  func release() throws(SQLError) { try run("RELEASE change", []) }

  func takeBack() throws(SQLError) {
    try run("ROLLBACK TO change", [])
    try run("RELEASE change", [])
  }

  func version() throws(SQLError) -> Int { try row("PRAGMA user_version") { Int($0.integer(0)) } ?? 0 }

  func hasTable(_ name: String) throws(SQLError) -> Bool {
    try row("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(name)]) { _ in true } ?? false
  }

  func erasing<Value>(_ body: () throws -> Value) throws -> Value {
    try run("PRAGMA secure_delete = ON")
    defer { try? run("PRAGMA secure_delete = OFF") }
    return try body()
  }

  func usedBytes() throws(SQLError) -> Int64? {
    func value(_ name: String) throws(SQLError) -> Int64 { try row("PRAGMA \(name)") { $0.integer(0) } ?? 0 }
    return try (value("page_count") - value("freelist_count")) * value("page_size")
  }

  func migrate(_ steps: [String]) throws(SQLError) {
    do {
      try database.migrate(steps)
    } catch let error as SQLiteError {
      throw Self.told(error)
    } catch {
      throw SQLError(.failed, ["file": path, "reason": "\(error)"])
    }
  }

  /// The same error as one of either engine.
  private static func told(_ error: SQLiteError) -> SQLError {
    // The console ends otherwise where the tables are of a newer version: it is configured to use them.
    error.code == .newer ? SQLError(.newer, error.values) : SQLError(error)
  }
}

extension SQLiteValue {
  init(_ value: SQLValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let text): self = .text(text)
    case .blob(let bytes): self = .blob(bytes)
    }
  }
}

extension SQLValue {
  init(_ value: SQLiteValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let text): self = .text(text)
    case .blob(let bytes): self = .blob(bytes)
    }
  }
}
