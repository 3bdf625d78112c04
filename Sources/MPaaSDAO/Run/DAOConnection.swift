package import MPaaSSQLite
import MPaaSSupport
package import MPaaSTime

/// One connection to a database on which DAO statements run; for one thread at a time.
package final class DAOConnection {
  package let database: SQLiteDatabase

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
  }

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
    let before = database.totalChanges
    do {
      try database.run(sql, bindings.map(\.column))
    } catch {
      throw Self.refusal(error)
    }
    return database.totalChanges == before ? 0 : database.changes
  }

  /// Hands the rows of a query to `take` until that gives false or throws.
  package func forEach(
    _ sql: String, _ bindings: [DAOValue], _ take: (SQLiteRow) throws(DAOError) -> Bool
  ) throws(DAOError) {
    var refusal: DAOError?
    do {
      try database.forEach(sql, bindings.map(\.column)) { row in
        do throws(DAOError) {
          return try take(row)
        } catch {
          refusal = error
          return false
        }
      }
    } catch {
      throw Self.refusal(error)
    }
    if let refusal { throw refusal }
  }

  /// Does all of `body` or, where that throws, nothing: in a transaction, or in a savepoint of the one that is open.
  package func atomically<Value>(_ body: () throws(DAOError) -> Value) throws(DAOError) -> Value {
    let isInner = database.isInTransaction
    _ = try run(isInner ? "SAVEPOINT dao" : "BEGIN IMMEDIATE")
    do {
      let value = try body()
      _ = try run(isInner ? "RELEASE dao" : "COMMIT")
      return value
    } catch {
      // SQLite may have taken all back by itself, as where a conflict asks for it.
      if database.isInTransaction {
        if isInner { try? database.run("ROLLBACK TO dao") }
        try? database.run(isInner ? "RELEASE dao" : "ROLLBACK")
      }
      throw error
    }
  }

  /// Begins or ends a transaction over several calls.
  ///
  /// - Throws: `dao-transaction` where one is open already, or none is.
  package func transaction(_ step: DAOTransaction) throws(DAOError) {
    guard database.isInTransaction == (step != .begin) else {
      throw DAOError(.transaction, ["step": step.rawValue])
    }
    switch step {
    case .begin: _ = try run("BEGIN IMMEDIATE")
    case .commit: _ = try run("COMMIT")
    case .rollback: _ = try run("ROLLBACK")
    }
  }

  static func refusal(_ error: SQLiteError) -> DAOError {
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
  /// The value of a column; collections, which no binding is, are null.
  var column: SQLiteValue {
    switch self {
    case .null, .list, .dictionary, .object: .null
    case .bool(let flag): .flag(flag)
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(text)
    case .data(let bytes): .blob(bytes)
    }
  }

  init(_ column: SQLiteValue) {
    switch column {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let text): self = .text(text)
    case .blob(let bytes): self = .data(bytes)
    }
  }
}
