import MPaaSLock
import MPaaSSQLite
import MPaaSTime

/// The database of a document, and the values that its calls are made with; from any thread.
///
/// One connection writes, for one thread at a time; selects with `parallel="true"` read beside it what was committed.
public final class DAOStorage: Sendable {
  /// The values that calls are made with, which may be changed at any time.
  private struct Settings: Sendable {
    var around = DAOSurroundings()
    var handler: (@Sendable (DAOStorage, DAOEvent) -> Void)?
  }

  private let connections: DAOConnections
  private let settings: Lock<Settings>
  /// The number of the surroundings as they are now, which no others of any object have.
  ///
  /// It is changed under the settings' lock.
  private let number = AtomicInteger(numbers.add(1))
  private static let numbers = AtomicInteger(0)

  private init(_ connections: DAOConnections, _ settings: Settings) {
    self.connections = connections
    self.settings = Lock(settings)
  }

  /// Opens a database for the methods of a module.
  ///
  /// - Parameters:
  ///   - module: The module of a document.
  ///   - databasePath: The file of the database.
  ///   - key: 32 secret bytes that the database is encrypted with, as which a new one is made; nil for a plain one.
  /// - Throws: `dao-database` where it cannot be opened; `dao-key-wrong`, `dao-key-missing`, `dao-not-encrypted` where
  ///   the key does not fit it; `storage-key-malformed` for one of another length.
  public convenience init(_ module: DAOModule, databasePath: String, key: [UInt8]? = nil) throws(DAOError) {
    var settings = Settings()
    settings.around.table = module.tableName
    let key = try key.map { bytes throws(DAOError) in try DatabaseKey(dao: bytes) }
    self.init(try DAOConnections(module, databasePath, key: key), settings)
  }

  /// The same database and settings for another table.
  package func forTable(_ name: String) -> DAOStorage {
    var own = settings.withLock { $0 }
    own.around.table = name
    return DAOStorage(connections, own)
  }

  // MARK: Settings

  package var module: DAOModule { connections.module }
  package var databasePath: String { connections.path }

  package var tableName: String? {
    get { settings.withLock { $0.around.table } }
    set { change { $0.table = newValue } }
  }

  package var globalArguments: [String: DAOValue] {
    get { settings.withLock { $0.around.globals } }
    set { change { $0.globals = newValue } }
  }

  package var crypt: DAOCrypt? {
    get { settings.withLock { $0.around.crypt } }
    set { change { $0.crypt = newValue } }
  }

  package var handler: (@Sendable (DAOStorage, DAOEvent) -> Void)? {
    get { settings.withLock { $0.handler } }
    set { settings.withLock { $0.handler = newValue } }
  }

  package var surroundings: DAOSurroundings { settings.withLock { $0.around } }

  private func change(_ body: (inout DAOSurroundings) -> Void) {
    settings.withLock { settings in
      body(&settings.around)
      number.store(Self.numbers.add(1))
    }
  }

  /// The surroundings, and their number.
  private func numbered() -> (DAOSurroundings, Int) { settings.withLock { ($0.around, number.load()) } }

  // MARK: Calls

  /// Makes changes, all of them or none.
  ///
  /// - Parameters:
  ///   - isInsert: The row that came last is told.
  ///   - isSingle: It is one statement, which SQLite itself does whole or not at all.
  ///   - body: Makes the changes, and gives the number of rows.
  public func change(
    isInsert: Bool, isSingle: Bool, _ body: (DAOSession) throws(DAOError) -> Int
  ) throws(DAOError) -> DAOChanges {
    var changes = DAOChanges(rows: 0, lastRowID: nil)
    try run(isParallel: false) { session throws(DAOError) in
      let rows =
        if isSingle { try body(session) } else {
          try session.connection.atomically { () throws(DAOError) in try body(session) }
        }
      changes = DAOChanges(rows: rows, lastRowID: isInsert && rows > 0 ? session.connection.lastRow : nil)
    }
    return changes
  }

  /// Reads.
  ///
  /// - Parameters:
  ///   - isParallel: It may read beside what is being written.
  ///   - body: Reads, and gives the value.
  @inlinable
  public func read<Value>(
    isParallel: Bool = false, _ body: (DAOSession) throws(DAOError) -> Value
  ) throws(DAOError) -> Value {
    // Compiled where its type is known: generic code makes the types of results anew for each call.
    var value: Value?
    try run(isParallel: isParallel) { session throws(DAOError) in value = try body(session) }
    // `run` has called its body, or has thrown, whatever stands in the file.
    guard let value else { preconditionFailure("a call that is not made throws") }
    return value
  }

  /// Calls `body` once the table has the document's version, or throws.
  @usableFromInline
  package func run(
    isParallel: Bool, _ body: (DAOSession) throws(DAOError) -> Void
  ) throws(DAOError) {
    let number = number.load()
    do {
      if isParallel, connections.isReady(tableName ?? module.tableName ?? module.name) {
        return try connections.read { session throws(DAOError) in
          try session.begin(number, numbered)
          try body(session)
        }
      }
      try perform { session throws(DAOError) in
        try session.begin(number, numbered)
        try session.prepareTable()
        try body(session)
      }
    } catch {
      throw error.placed(at: nil, in: module.file)
    }
  }

  /// Uses the connection that writes, and tells what happened to tables.
  package func write<Value>(_ body: (DAOSession) throws(DAOError) -> Value) throws(DAOError) -> Value {
    var value: Value?
    try perform { session throws(DAOError) in value = try body(session) }
    // `perform` has called its body, or has thrown, whatever stands in the file.
    guard let value else { preconditionFailure("a call that is not made throws") }
    return value
  }

  private func perform(_ body: (DAOSession) throws(DAOError) -> Void) throws(DAOError) {
    var events: [DAOEvent] = []
    defer { if !events.isEmpty { tell(events) } }
    try connections.write(&events, body)
  }

  private func tell(_ events: [DAOEvent]) {
    guard let handler else { return }
    events.forEach { handler(self, $0) }
  }

  package func changeKey(to key: [UInt8]) throws(DAOError) {
    try connections.changeKey(to: try DatabaseKey(dao: key))
  }

  package func transaction(_ step: DAOTransaction) throws(DAOError) {
    try write { session throws(DAOError) in try session.transaction(step) }
  }

  package func prepareReader(autoclose seconds: Double) throws(DAOError) {
    let milliseconds = Int64(exactly: (min(max(seconds, 0), 1_000_000) * 1000).rounded()) ?? 0
    try connections.prepareReader(patience: milliseconds > 0 ? .milliseconds(milliseconds) : nil)
  }
}
