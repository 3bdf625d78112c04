import MPaaSLock
import MPaaSSQLite
import MPaaSTime

/// The methods of a DAO document on a database, from any thread.
///
/// ```swift
/// let messages = try DAO(document: "messages.xml", databasePath: "user.sqlite")
/// try messages.update("add", [.text("hello")])
/// let found = try messages.select("find", [.integer(1)])
/// ```
///
/// One connection writes, for one thread at a time; methods with `parallel="true"` read beside it what was committed.
public final class DAO: Sendable {
  /// The values that calls are made with, which may be changed at any time.
  private struct Settings: Sendable {
    var table: String?
    var globals: [String: DAOValue] = [:]
    var crypt: DAOCrypt?
    var handler: (@Sendable (DAO, DAOEvent) -> Void)?
  }

  let core: DAOCore
  private let settings: Lock<Settings>

  private init(_ core: DAOCore, _ settings: Settings) {
    self.core = core
    self.settings = Lock(settings)
  }

  /// Creates an object of the bytes of a document.
  ///
  /// - Parameter key: 32 secret bytes that the database is encrypted with, as which a new one is made; nil for a plain
  ///   one.
  /// - Throws: What is wrong with the document; `dao-database` where the database cannot be opened; `dao-key-wrong`,
  ///   `dao-key-missing`, `dao-not-encrypted` where the key does not fit it.
  public convenience init(
    bytes: [UInt8], databasePath: String, file: String? = nil, key: [UInt8]? = nil
  ) throws(DAOError) {
    let program = try DAOProgram(reading: bytes, file: file)
    let key = try key.map { bytes throws(DAOError) in try DatabaseKey(dao: bytes) }
    self.init(try DAOCore(program, databasePath, key: key), Settings(table: program.document.tableName))
  }

  /// Creates an object of a document's file.
  ///
  /// - Throws: As for bytes; `dao-xml` where the file cannot be read.
  public convenience init(document file: String, databasePath: String, key: [UInt8]? = nil) throws(DAOError) {
    try self.init(bytes: DAOFile.bytes(file), databasePath: databasePath, file: file, key: key)
  }

  /// An object with the same document, database and settings for another table, as where each conversation has its own.
  public func forTable(_ name: String) -> DAO {
    var own = settings.withLock { $0 }
    own.table = name
    return DAO(core, own)
  }

  // MARK: Settings

  /// The table that `${T}` stands for.
  public var tableName: String? {
    get { settings.withLock { $0.table } }
    set { settings.withLock { $0.table = newValue } }
  }

  /// The file of the database.
  public var databasePath: String { core.path }

  /// Values that all methods can use by their names.
  public var globalArguments: [String: DAOValue] {
    get { settings.withLock { $0.globals } }
    set { settings.withLock { $0.globals = newValue } }
  }

  /// The functions for properties that the document wants encrypted; a document that has such is not called without.
  public var crypt: DAOCrypt? {
    get { settings.withLock { $0.crypt } }
    set { settings.withLock { $0.crypt = newValue } }
  }

  /// Gets what happens to tables, on the thread of the call by which it happened, once that is over.
  public var eventHandler: (@Sendable (DAO, DAOEvent) -> Void)? {
    get { settings.withLock { $0.handler } }
    set { settings.withLock { $0.handler = newValue } }
  }

  // MARK: Calls

  /// Calls a method of the document.
  ///
  /// - Throws: The reason why it was not done; the database is as it was then.
  @discardableResult
  public func call(_ method: String, _ arguments: [DAOValue] = []) throws(DAOError) -> DAOOutcome {
    let around = surroundings
    let found = try core.program.method(method, arguments)
    if found.method.isParallel, core.isReady(tableKey) {
      return try core.read { reader throws(DAOError) in try reader.read(found, arguments, around) }
    }
    return try write { interpreter throws(DAOError) in try interpreter.call(method, arguments, around) }
  }

  /// Calls a select.
  ///
  /// - Returns: Its result; nil in the form of `DAOValue.null` where it found no row, or changed some.
  public func select(_ method: String, _ arguments: [DAOValue] = []) throws(DAOError) -> DAOValue {
    if case .result(let value) = try call(method, arguments) { value } else { .null }
  }

  /// Calls an insert, update or delete.
  ///
  /// - Returns: The number of rows that it changed.
  @discardableResult
  public func update(_ method: String, _ arguments: [DAOValue] = []) throws(DAOError) -> Int {
    if case .changed(let rows, _) = try call(method, arguments) { rows } else { 0 }
  }

  /// Begins or ends a transaction over several calls, which those of all threads are then part of.
  ///
  /// - Throws: `dao-transaction` where one is open already, or none is.
  public func daoTransaction(_ step: DAOTransaction) throws(DAOError) {
    try write { interpreter throws(DAOError) in try interpreter.transaction(step) }
  }

  private var surroundings: DAOSurroundings {
    settings.withLock { DAOSurroundings(globals: $0.globals, table: $0.table, crypt: $0.crypt) }
  }

  private var tableKey: String { tableName ?? core.program.document.name }

  /// Uses the connection that writes, and tells what happened to tables.
  func write<Value: Sendable>(
    _ body: (DAOInterpreter) throws(DAOError) -> Value
  ) throws(DAOError) -> Value {
    let (result, events) = core.write(body)
    if !events.isEmpty, let handler = eventHandler { events.forEach { handler(self, $0) } }
    return try result.get()
  }
}

extension DAO {
  /// The names of the document's methods, in its order.
  public var allMethods: [String] { core.program.document.methods.map(\.name) }

  /// Opens a connection for methods with `parallel="true"` before they need one.
  ///
  /// - Parameter seconds: The time after which connections that are not in use are closed; the usual one where it is 0.
  public func prepareParallelConnection(autoclose seconds: Double = 0) throws(DAOError) {
    let milliseconds = Int64(exactly: (min(max(seconds, 0), 1_000_000) * 1000).rounded()) ?? 0
    try core.prepareReader(patience: milliseconds > 0 ? .milliseconds(milliseconds) : nil)
  }
}
