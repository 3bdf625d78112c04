// What is for connections that read alone, and for tables that go.
extension DAOInterpreter {
  /// Runs a select without a look at the table's version.
  func read(
    _ method: DAOProgram.Method, _ arguments: [DAOValue], _ around: DAOSurroundings
  ) throws(DAOError) -> DAOOutcome {
    try checkCrypt(around)
    return .result(try select(method, program.scopes(method, arguments, around)))
  }

  /// Tells whether values can be encrypted where the document wants it.
  func checkCrypt(_ around: DAOSurroundings) throws(DAOError) {
    guard around.crypt == nil, let secret = program.document.secrets.first else { return }
    throw DAOError(.noKey, ["name": "\(secret.className).\(secret.property)"], in: program.document.file)
  }

  /// Looks at the table's version again before the next call.
  func forget(_ table: String) {
    readyTables.remove(table)
    onEvent?(.tableDeleted(table: table))
  }
}
