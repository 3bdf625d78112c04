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

/// Surroundings that several calls are made with, and that sessions know again.
package final class SharedSurroundings: Sendable {
  package let value: DAOSurroundings

  package init(_ value: DAOSurroundings) { self.value = value }
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
  /// The surroundings of the last call, where several calls have them.
  @exclusivity(unchecked) private var shared: SharedSurroundings?
  /// The table that `${T}` stands for.
  package private(set) var table: String?
  /// The statements of a compiled module by their numbers, for each table.
  @exclusivity(unchecked) private var prepared: [[(constant: DAOConstant, statement: DAOPrepared)?]] = []
  private var tableNumbers: [String?: Int] = [:]
  @exclusivity(unchecked) private var tableNumber: Int?
  /// The number of tables whose statements are kept.
  private static let greatestTableCount = 64

  package init(_ module: DAOModule, _ connection: DAOConnection) {
    self.module = module
    self.connection = connection
    table = module.tableName
  }

  /// Begins a call.
  ///
  /// - Throws: `dao-no-key` where values cannot be encrypted as the document wants it.
  package func begin(_ around: SharedSurroundings) throws(DAOError) {
    guard around !== shared else { return settle() }
    try begin(around.value)
    shared = around
  }

  /// Begins a call.
  package func begin(_ around: DAOSurroundings) throws(DAOError) {
    shared = nil
    settle()
    if around.crypt == nil, let secret = module.secrets.first {
      throw DAOError(.noKey, ["name": "\(secret.className).\(secret.property)"], in: module.file)
    }
    surroundings = around
    let name = around.table ?? module.tableName
    if name != table {
      table = name
      tableNumber = nil
      isTableReady = nil
    }
  }

  /// The value of a name that is no argument.
  public func global(_ name: String) -> DAOValue { surroundings.globals[name] ?? .null }

  /// The table's name by which its version is kept.
  var tableKey: String { table ?? module.name }

  /// Tells whether the version of the call's table was found right.
  func isReady() -> Bool {
    if let isTableReady { return isTableReady }
    let isReady = readyTables.contains(tableKey)
    isTableReady = isReady
    return isReady
  }

  func makeReady(_ table: String) {
    readyTables.insert(table)
    hasNewTables = true
    guard connection.database.isInTransaction else { return }
    unsettledTables.insert(table)
    hasUnsettledTables = true
  }

  /// Has the tables of a transaction looked at again once it is over: SQLite may have taken all back by itself.
  func settle() {
    guard hasUnsettledTables, !connection.database.isInTransaction else { return }
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
    let place = tableNumber ?? placeOfTable()
    guard prepared[place].indices.contains(constant.number) else {
      return try prepare(constant.sql(table), at: constant.position)
    }
    if let found = prepared[place][constant.number], found.constant === constant {
      found.statement.begin(constant.columns)
      return found.statement
    }
    let found = try prepare(constant.sql(table), at: constant.position)
    prepared[place][constant.number] = (constant, found)
    found.begin(constant.columns)
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

  private func placeOfTable() -> Int {
    if let known = tableNumbers[table] {
      tableNumber = known
      return known
    }
    if prepared.count >= Self.greatestTableCount {
      prepared = []
      tableNumbers = [:]
    }
    let place = prepared.count
    prepared.append([(constant: DAOConstant, statement: DAOPrepared)?](repeating: nil, count: module.constantCount))
    tableNumbers[table] = place
    tableNumber = place
    return place
  }
}
