import MPaaSSQLite

/// The values that a call is made with beside its arguments.
package struct DAOSurroundings: Sendable {
  package var globals: [String: DAOValue]
  /// The table in place of that of the document.
  package var table: String?
  package var crypt: DAOCrypt?

  package init(globals: [String: DAOValue] = [:], table: String? = nil, crypt: DAOCrypt? = nil) {
    self.globals = globals
    self.table = table
    self.crypt = crypt
  }
}

/// One connection, and what a document's methods keep with it; for one thread at a time.
public final class DAOSession {
  package let module: DAOModule
  package let connection: DAOConnection
  /// The events of the call, in their order.
  @exclusivity(unchecked) package var events: [DAOEvent] = []
  /// The tables whose version was found right, or made so.
  package private(set) var readyTables: Set<String> = [] { didSet { isTableReady = nil } }
  /// True where that is known of the table of the call; nil where it is not known.
  @exclusivity(unchecked) private var isTableReady: Bool?
  /// The tables that became ready in a transaction over several calls, which may take them back.
  private var unsettledTables: Set<String> = []
  @exclusivity(unchecked) private var hasUnsettledTables = false
  /// True once the tables that are ready are others than before.
  @exclusivity(unchecked) var hasNewTables = false
  package private(set) var surroundings = DAOSurroundings()
  /// The number of the surroundings of the last call, by which they are known again; 0 for none.
  @exclusivity(unchecked) private var number = 0
  /// The table that `${T}` stands for.
  package private(set) var table: String?
  /// The statements of a compiled module for each table, and those for the table of the call.
  private var prepared: [String?: DAOTableStatements] = [:]
  @exclusivity(unchecked) private var statements: UnsafeMutableBufferPointer<DAOPrepared?>?
  /// The number of tables whose statements are kept.
  private static let greatestTableCount = 64

  package init(_ module: DAOModule, _ connection: DAOConnection) {
    self.module = module
    self.connection = connection
    table = module.tableName
  }

  /// Begins a call.
  ///
  /// - Parameters:
  ///   - number: The number of the surroundings, which others never have.
  ///   - read: Gives the surroundings and their number as they are now; called where they are others than before.
  /// - Throws: `dao-no-key` where values cannot be encrypted as the document wants it.
  @inline(__always)
  func begin(_ number: Int, _ read: () -> (DAOSurroundings, Int)) throws(DAOError) {
    if number == self.number { return settle() }
    let (around, now) = read()
    try begin(around)
    self.number = now
  }

  /// Begins a call.
  ///
  /// - Throws: `dao-no-key` where values cannot be encrypted as the document wants it.
  package func begin(_ around: DAOSurroundings) throws(DAOError) {
    number = 0
    settle()
    if around.crypt == nil, let secret = module.secrets.first {
      throw DAOError(.noKey, ["name": "\(secret.className).\(secret.property)"], in: module.file)
    }
    surroundings = around
    let name = around.table ?? module.tableName
    if name != table {
      table = name
      statements = nil
      isTableReady = nil
    }
  }

  /// The value of a name that is no argument.
  public func global(_ name: String) -> DAOValue { surroundings.globals[name] ?? .null }

  /// The table's name by which its version is kept.
  var tableKey: String { table ?? module.name }

  /// Tells whether the version of the call's table was found right.
  @inline(__always)
  func isReady() -> Bool { isTableReady ?? findReady() }

  private func findReady() -> Bool {
    let isReady = readyTables.contains(tableKey)
    isTableReady = isReady
    return isReady
  }

  func makeReady(_ table: String) {
    readyTables.insert(table)
    hasNewTables = true
    guard connection.isInTransaction else { return }
    unsettledTables.insert(table)
    hasUnsettledTables = true
  }

  /// Has the tables of a transaction looked at again once it is over: SQLite may have taken all back by itself.
  @inline(__always)
  func settle() {
    if hasUnsettledTables { settleTables() }
  }

  private func settleTables() {
    guard !connection.isInTransaction else { return }
    readyTables.subtract(unsettledTables)
    (unsettledTables, hasUnsettledTables, hasNewTables) = ([], false, true)
  }

  /// Looks at the version of a table again before the next call.
  package func forget(_ table: String) {
    readyTables.remove(table)
    hasNewTables = true
    events.append(.tableDeleted(table: table))
  }

  /// Begins or ends a transaction over several calls.
  package func transaction(_ step: DAOTransaction) throws(DAOError) {
    try connection.transaction(step)
    guard step == .rollback else { return }
    // A table may have been made in it.
    readyTables = []
    hasNewTables = true
  }

  // MARK: Statements

  /// The prepared statement of a constant, which is prepared once for each table.
  ///
  /// - Throws: `dao-sql`, `dao-no-table`, with the place of the element.
  public func prepared(_ constant: DAOConstant) throws(DAOError) -> DAOPrepared {
    let statements = statements ?? statementsOfTable()
    let isKept = statements.indices.contains(constant.number)
    if isKept, let found = statements[constant.number], found.constant === constant {
      found.begin()
      return found
    }
    let found = try prepare(constant.sql(table), at: constant.position)
    found.begin(constant.columns)
    // The number may be that of another module's constant.
    guard isKept else { return found }
    found.constant = constant
    statements[constant.number] = found
    return found
  }

  /// The prepared statement of one that was written for a call, with its values.
  public func prepared(_ statement: DAOStatement, _ columns: DAOColumns? = nil) throws(DAOError) -> DAOPrepared {
    let found = try prepare(statement.sql, at: statement.position)
    found.begin(columns)
    if found.parameterCount != statement.bindings.count { found.clear() }
    for (index, value) in statement.bindings.enumerated() { found.bind(index + 1, value) }
    return found
  }

  private func prepare(_ sql: String, at position: DAOPosition) throws(DAOError) -> DAOPrepared {
    do {
      let database = connection.database
      return DAOPrepared(try database.statement(sql), database, at: position)
    } catch {
      throw DAOConnection.refusal(error).placed(at: position)
    }
  }

  private func statementsOfTable() -> UnsafeMutableBufferPointer<DAOPrepared?> {
    // The object stays in the dictionary as long as its statements are those of the call.
    if let known = prepared[table] {
      statements = known.all
      return known.all
    }
    if prepared.count >= Self.greatestTableCount { prepared = [:] }
    let made = DAOTableStatements(module.constantCount)
    prepared[table] = made
    statements = made.all
    return made.all
  }
}

/// The prepared statements of a compiled module for one table, by the numbers of its constants.
private final class DAOTableStatements {
  let all: UnsafeMutableBufferPointer<DAOPrepared?>

  init(_ count: Int) {
    all = .allocate(capacity: count)
    all.initialize(repeating: nil)
  }

  deinit {
    all.deinitialize()
    all.deallocate()
  }
}
