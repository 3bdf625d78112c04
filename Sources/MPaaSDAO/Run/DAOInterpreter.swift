import MPaaSSQLite

/// Runs the methods of a document on a connection; for one thread at a time.
package struct DAOInterpreter {
  package let program: DAOProgram
  package let session: DAOSession

  package init(_ program: DAOProgram, _ session: DAOSession) {
    self.program = program
    self.session = session
  }

  package init(_ program: DAOProgram, _ connection: DAOConnection) {
    self.init(program, DAOSession(program.module, connection))
  }

  private var connection: DAOConnection { session.connection }

  /// Calls a method.
  ///
  /// - Throws: `dao-no-method`, `dao-null-argument`, `dao-argument-type`, `dao-expression`, `dao-sql`, `dao-upgrade` and
  ///   others; the database is as it was then.
  package func call(
    _ name: String, _ arguments: [DAOValue], _ around: DAOSurroundings = DAOSurroundings()
  ) throws(DAOError) -> DAOOutcome {
    let method = try program.method(name, arguments)
    do {
      try session.begin(around)
      try session.prepareTable()
      return try call(method, arguments)
    } catch {
      throw error.placed(at: nil, in: program.document.file)
    }
  }

  /// Calls a method whose call has begun.
  package func call(_ method: DAOProgram.Method, _ arguments: [DAOValue]) throws(DAOError) -> DAOOutcome {
    guard method.method.kind == .select else { return try write(method, arguments) }
    return .result(try select(method, program.scopes(method, arguments, session.surroundings)))
  }

  /// Begins or ends a transaction over several calls.
  package func transaction(_ step: DAOTransaction) throws(DAOError) { try session.transaction(step) }

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
    var found: [DAOValue] = []
    do {
      guard let query = try prepared(method, scope) else { return shape.isList ? .list([]) : .null }
      defer { query.reset() }
      var reader = DAORowReader(shape, program.document, scope.crypt)
      while try query.step() {
        found.append(try reader.value(query.current))
        if !shape.isList { break }
      }
    } catch {
      throw error.placed(at: method.method.position)
    }
    return shape.isList ? .list(found) : found.first ?? .null
  }

  /// The method's first statement with its values; nil where there is none to be run.
  private func prepared(_ method: DAOProgram.Method, _ scope: DAOScope) throws(DAOError) -> DAOPrepared? {
    guard let known = method.constant else {
      return try method.units.first.flatMap { unit throws(DAOError) in
        try DAOFormatter.statement(unit, scope)
      }.map { statement throws(DAOError) in try session.prepared(statement) }
    }
    let prepared = try session.prepared(known.constant)
    for (index, reference) in known.references.enumerated() {
      try prepared.bind(index + 1, scope.root(reference.path), reference.rule, session)
    }
    return prepared
  }

  // MARK: Writes

  private func write(_ method: DAOProgram.Method, _ arguments: [DAOValue]) throws(DAOError) -> DAOOutcome {
    let rows =
      if method.isSingle {
        try run(method, program.scope(method.slotCount, arguments, session.surroundings))
      } else {
        try connection.atomically { () throws(DAOError) in
          var rows = 0
          for scope in try program.scopes(method, arguments, session.surroundings) { rows += try run(method, scope) }
          return rows
        }
      }
    // After a try nothing tells whether it was the insert that succeeded.
    let isInsert = method.method.kind == .insert && method.units.first?.kind != .attempt && rows > 0
    return .changed(rows: rows, lastRowID: isInsert ? connection.database.lastRow : nil)
  }

  private func run(_ method: DAOProgram.Method, _ scope: DAOScope) throws(DAOError) -> Int {
    guard method.constant != nil else { return try run(method.units, scope) }
    return try prepared(method, scope)?.run() ?? 0
  }

  /// Runs statements one after another.
  ///
  /// - Returns: The number of rows that they changed.
  func run(_ units: [DAOUnit], _ scope: DAOScope) throws(DAOError) -> Int {
    if let first = units.first, first.kind == .attempt {
      return try session.attempt(DAOFormatter.statement(first, scope)) { () throws(DAOError) in
        try units.dropFirst().first.flatMap { unit throws(DAOError) in try DAOFormatter.statement(unit, scope) }
      }
    }
    var rows = 0
    for unit in units { rows += try session.run(DAOFormatter.statement(unit, scope)) }
    return rows
  }
}
