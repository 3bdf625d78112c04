import MPaaSSQLite

/// Runs the methods of a document on a connection; for one thread at a time.
package final class DAOInterpreter {
  package let program: DAOProgram
  package let connection: DAOConnection
  /// Gets what happens to tables, while the connection is in use.
  package var onEvent: ((DAOEvent) -> Void)?
  /// The tables whose version was found right, or made so.
  var readyTables: Set<String> = []

  package init(_ program: DAOProgram, _ connection: DAOConnection) {
    self.program = program
    self.connection = connection
  }

  /// Calls a method.
  ///
  /// - Throws: `dao-no-method`, `dao-null-argument`, `dao-argument-type`, `dao-expression`, `dao-sql`, `dao-upgrade` and
  ///   others; the database is as it was then.
  package func call(
    _ name: String, _ arguments: [DAOValue], _ around: DAOSurroundings = DAOSurroundings()
  ) throws(DAOError) -> DAOOutcome {
    let method = try program.method(name, arguments)
    try checkCrypt(around)
    do {
      try prepareTable(around)
      let scopes = try program.scopes(method, arguments, around)
      if method.method.kind == .select { return .result(try select(method, scopes)) }
      return try write(method, scopes)
    } catch {
      throw error.placed(at: nil, in: program.document.file)
    }
  }

  /// Begins or ends a transaction over several calls.
  package func transaction(_ step: DAOTransaction) throws(DAOError) {
    try connection.transaction(step)
    // A table may have been made in it.
    if step == .rollback { readyTables = [] }
  }

  // MARK: Selects

  /// The result of a select; where it repeats itself, a list of one for each element.
  package func select(_ method: DAOProgram.Method, _ scopes: [DAOScope]) throws(DAOError) -> DAOValue {
    guard method.method.loop != nil else {
      return try scopes.first.map { scope throws(DAOError) in try row(method, scope) } ?? .null
    }
    var results: [DAOValue] = []
    for scope in scopes { results.append(try row(method, scope)) }
    return .list(results)
  }

  private func row(_ method: DAOProgram.Method, _ scope: DAOScope) throws(DAOError) -> DAOValue {
    let shape = method.method.result ?? DAOResult(element: .dictionary, isList: true)
    guard
      let statement = try method.units.first.flatMap({ unit throws(DAOError) in
        try DAOFormatter.statement(unit, scope)
      })
    else { return shape.isList ? .list([]) : .null }
    let reader = DAORowReader(shape, program.document, scope.crypt)
    var found: [DAOValue] = []
    do {
      try connection.forEach(statement.sql, statement.bindings) { row throws(DAOError) in
        found.append(try reader.value(row))
        return shape.isList
      }
    } catch {
      throw error.placed(at: method.method.position)
    }
    return shape.isList ? .list(found) : found.first ?? .null
  }

  // MARK: Writes

  private func write(_ method: DAOProgram.Method, _ scopes: [DAOScope]) throws(DAOError) -> DAOOutcome {
    let rows = try connection.atomically { () throws(DAOError) in
      var rows = 0
      for scope in scopes { rows += try run(method.units, scope) }
      return rows
    }
    // After a try nothing tells whether it was the insert that succeeded.
    let isInsert = method.method.kind == .insert && method.units.first?.kind != .attempt && rows > 0
    return .changed(rows: rows, lastRowID: isInsert ? connection.database.lastRow : nil)
  }

  /// Runs statements one after another.
  ///
  /// - Returns: The number of rows that they changed.
  func run(_ units: [DAOUnit], _ scope: DAOScope) throws(DAOError) -> Int {
    if units.first?.kind == .attempt { return try attempt(units, scope) }
    var rows = 0
    for unit in units {
      guard let statement = try DAOFormatter.statement(unit, scope) else { continue }
      guard unit.isResumable else {
        rows += try run(statement, unit)
        continue
      }
      do {
        rows += try connection.atomically { () throws(DAOError) in try run(statement, unit) }
      } catch  where error.code == .sql {
        continue
      }
    }
    return rows
  }

  private func attempt(_ units: [DAOUnit], _ scope: DAOScope) throws(DAOError) -> Int {
    guard let first = units.first, let statement = try DAOFormatter.statement(first, scope) else { return 0 }
    do {
      return try connection.atomically { () throws(DAOError) in try run(statement, first) }
    } catch  where error.code == .sql {
      var rows = 0
      for unit in units.dropFirst() {
        guard let statement = try DAOFormatter.statement(unit, scope) else { continue }
        rows += try run(statement, unit)
      }
      return rows
    }
  }

  private func run(_ statement: DAOStatement, _ unit: DAOUnit) throws(DAOError) -> Int {
    do {
      return try connection.run(statement.sql, statement.bindings)
    } catch {
      throw error.placed(at: unit.position)
    }
  }
}
