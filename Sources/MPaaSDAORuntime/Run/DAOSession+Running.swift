// Statements that were written for a call, one after another.
extension DAOSession {
  /// Runs a statement; one that is resumable may fail.
  ///
  /// - Returns: The number of rows that it changed; 0 where there is none.
  /// - Throws: `dao-sql`, `dao-database`.
  public func run(_ statement: DAOStatement?) throws(DAOError) -> Int {
    guard let statement else { return 0 }
    guard statement.isResumable else { return try prepared(statement).run() }
    do {
      return try connection.atomically { () throws(DAOError) in try prepared(statement).run() }
    } catch  where error.code == .sql {
      return 0
    }
  }

  /// Runs a statement, and another one where SQLite refuses it.
  ///
  /// - Returns: The number of rows that were changed.
  public func attempt(
    _ statement: DAOStatement?, except: () throws(DAOError) -> DAOStatement?
  ) throws(DAOError) -> Int {
    guard let statement else { return 0 }
    do {
      return try connection.atomically { () throws(DAOError) in try prepared(statement).run() }
    } catch  where error.code == .sql {
      return try run(except())
    }
  }
}

// Errors of calls, as compiled documents throw them.
extension DAOError {
  /// The error of an argument that must not be nil.
  public static func nullArgument(_ name: String, of method: String, in file: String) -> DAOError {
    DAOError(.nullArgument, ["name": name, "method": method], in: file)
  }

  /// The same error with a place in the document, where it has none.
  public func placed(_ line: Int, _ column: Int) -> DAOError { placed(at: DAOPosition(line, column)) }
}

extension DAOWriter {
  /// Creates a writer for the table and the keys of a call.
  public init(_ session: DAOSession) {
    self.init(table: session.table, secrets: session.module.secrets, crypt: session.surroundings.crypt)
  }

  /// The statement; nil where it is empty or not to be run.
  ///
  /// - Throws: `dao-no-table`.
  public mutating func finish(
    _ kind: DAOStatement.Kind, isResumable: Bool, _ line: Int, _ column: Int
  ) throws(DAOError) -> DAOStatement? {
    try finish(kind, isResumable: isResumable, at: DAOPosition(line, column))
  }
}

extension DAOValue {
  /// The elements for which a method repeats itself; none of nil.
  ///
  /// - Throws: `dao-argument-type` where the value is no list.
  public func elements(of argument: String, _ line: Int, _ column: Int) throws(DAOError) -> [DAOValue] {
    switch self {
    case .null: return []
    case .list(let elements): return elements
    default:
      throw DAOError(.argumentType, ["value": argument, "kind": kind], at: DAOPosition(line, column))
    }
  }
}

extension DAOPrepared {
  /// The row as an object of a class, by the names of its columns or those that stand for them.
  ///
  /// - Throws: `dao-crypt`.
  public func object(
    _ className: String, _ properties: [String: String] = [:], _ session: DAOSession
  ) throws(DAOError) -> DAOObject {
    var object = DAOObject(className: className, properties: [:])
    let row = row
    for (column, value) in zip(row.columns, row.values) { object.properties[properties[column] ?? column] = value }
    guard let crypt = session.surroundings.crypt else { return object }
    for secret in session.module.secrets where secret.className == className {
      guard let value = object.properties[secret.property] else { continue }
      object.properties[secret.property] = try crypt.open(value, secret)
    }
    return object
  }
}
