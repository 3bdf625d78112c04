import CSQLite
package import MPaaSSQLite
import MPaaSSupport
package import MPaaSTime

/// One connection to a database on which DAO statements run; for one thread at a time.
package final class DAOConnection {
  package let database: SQLiteDatabase
  private let handle: OpaquePointer
  private var steps = [DAOPrepared?](repeating: nil, count: Step.allCases.count)

  /// Opens a database.
  ///
  /// - Parameter key: The key of an encrypted one; nil for a plain one.
  /// - Throws: `dao-database`, `dao-damaged`, `dao-key-wrong`, `dao-key-missing`, `dao-not-encrypted`.
  package init(
    _ path: String, isReader: Bool = false, patience: TimeSpan = .seconds(10), key: DatabaseKey? = nil
  ) throws(DAOError) {
    do {
      database = try SQLiteDatabase(
        path, isReader ? .readOnly : .readWrite, durability: .normal, patience: patience, key: key)
    } catch {
      throw Self.refusal(error)
    }
    handle = database.pointer
  }

  /// Tells whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
  /// The row that was inserted last.
  var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Encrypts the database with another key.
  package func changeKey(to key: DatabaseKey) throws(DAOError) {
    do {
      try database.changeKey(to: key)
    } catch {
      throw Self.refusal(error)
    }
  }

  /// Runs a statement that gives no rows, if it is one at all: comments are none.
  ///
  /// - Returns: The number of rows that it changed.
  package func run(_ sql: String, _ bindings: [DAOValue] = []) throws(DAOError) -> Int {
    try prepared(sql, bindings).run()
  }

  /// Hands the rows of a query to `take` until that gives false or throws.
  package func forEach(
    _ sql: String, _ bindings: [DAOValue], _ take: (SQLiteRow) throws(DAOError) -> Bool
  ) throws(DAOError) {
    let query = try prepared(sql, bindings)
    defer { query.reset() }
    while try query.step() {
      guard try take(query.current) else { return }
    }
  }

  private func prepared(_ sql: String, _ bindings: [DAOValue]) throws(DAOError) -> DAOPrepared {
    let statement: SQLiteStatement
    do {
      statement = try database.statement(sql)
    } catch {
      throw Self.refusal(error)
    }
    let prepared = DAOPrepared(statement, database, at: nil)
    prepared.begin(nil)
    if statement.parameterCount != bindings.count { prepared.clear() }
    for (index, value) in bindings.enumerated() { prepared.bind(index + 1, value) }
    return prepared
  }

  /// Does all of `body` or, where that throws, nothing: in a transaction, or in a savepoint of the one that is open.
  package func atomically<Value>(_ body: () throws(DAOError) -> Value) throws(DAOError) -> Value {
    let isInner = isInTransaction
    try run(isInner ? .savepoint : .begin)
    do {
      let value = try body()
      try run(isInner ? .release : .commit)
      return value
    } catch {
      // SQLite may have taken all back by itself, as where a conflict asks for it.
      if isInTransaction {
        if isInner { try? database.run("ROLLBACK TO dao") }
        try? database.run(isInner ? "RELEASE dao" : "ROLLBACK")
      }
      throw error
    }
  }

  /// The statements around calls, which are prepared once.
  private enum Step: Int, CaseIterable {
    case begin, commit, savepoint, release

    var sql: String {
      switch self {
      case .begin: "BEGIN IMMEDIATE"
      case .commit: "COMMIT"
      case .savepoint: "SAVEPOINT dao"
      case .release: "RELEASE dao"
      }
    }
  }

  private func run(_ step: Step) throws(DAOError) {
    if let known = steps[step.rawValue] {
      known.begin(nil)
      _ = try known.run()
    } else {
      let prepared = try prepared(step.sql, [])
      steps[step.rawValue] = prepared
      _ = try prepared.run()
    }
  }

  /// Begins or ends a transaction over several calls.
  ///
  /// - Throws: `dao-transaction` where one is open already, or none is.
  package func transaction(_ step: DAOTransaction) throws(DAOError) {
    guard isInTransaction == (step != .begin) else {
      throw DAOError(.transaction, ["step": step.rawValue])
    }
    switch step {
    case .begin: _ = try run("BEGIN IMMEDIATE")
    case .commit: _ = try run("COMMIT")
    case .rollback: _ = try run("ROLLBACK")
    }
  }

  /// The error of a document's call that an error of the database is.
  package static func refusal(_ error: SQLiteError) -> DAOError {
    let isOfFile = [.cannotOpen, .damaged, .busy, .full].contains(error.code)
    let code: DAOError.Code =
      switch error.code {
      case .pageDamaged, .frameDamaged, .headerDamaged: .damaged
      case .keyWrong: .keyWrong
      case .keyMissing: .keyMissing
      case .notEncrypted: .notEncrypted
      default: isOfFile ? .database : .sql
      }
    guard code != .database, code != .sql else {
      return DAOError(code, ["reason": error.values["reason"] ?? error.code.id.name])
    }
    // A page or a frame by its number; neither for the header.
    var values = error.values
    if code == .damaged { values["place"] = error.values["page"] ?? error.values["frame"] ?? "0" }
    return DAOError(code, values)
  }
}

extension DAOValue {
  init(_ column: SQLiteValue) {
    switch column {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let text): self = .text(text)
    case .blob(let bytes): self = .data(bytes)
    }
  }

  /// Creates the value of a column of a row.
  package init(_ row: SQLiteRow, _ column: Int) { self.init(row[column]) }
}
