import MPaaSLock
import MPaaSSQLite
import MPaaSTime

/// The connections that the objects of one document and database share: one that writes, and some that read beside it.
final class DAOConnections: Sendable {
  /// A connection that reads and is not in use.
  struct IdleReader {
    let session: DAOSession
    let since: MonotonicInstant
  }

  struct Readers {
    var idle: [IdleReader] = []
    /// The time after which a connection that is not in use is closed.
    var patience = TimeSpan.seconds(30)
    /// The key that they are opened with; nil where the database is plain.
    var key: DatabaseKey?
    /// The number of times that the key was changed.
    var keyChanges = 0
  }

  /// A connection that reads and is in use.
  private struct Reader {
    let session: DAOSession
    /// The number of changes of the key before it was opened.
    let keyChanges: Int
  }

  let module: DAOModule
  let path: String
  private let writer: Lock<DAOSession>
  private let readers: Lock<Readers>
  /// The tables that need no look before a reader may read them.
  private let ready = Lock(Set<String>())

  /// - Parameter key: The key of an encrypted database; nil for a plain one.
  init(_ module: DAOModule, _ path: String, key: DatabaseKey? = nil) throws(DAOError) {
    self.module = module
    self.path = path
    readers = Lock(Readers(key: key))
    writer = Lock(DAOSession(module, try DAOConnection(path, key: key)))
  }

  /// Encrypts the database with another key; methods go on with it.
  func changeKey(to key: DatabaseKey) throws(DAOError) {
    var events: [DAOEvent] = []
    try write(&events) { session throws(DAOError) in
      try session.connection.changeKey(to: key)
      // Those that are in use are closed when they come back.
      readers.withLock { readers in
        readers.key = key
        readers.keyChanges += 1
        readers.idle.removeAll()
      }
    }
  }

  /// Uses the connection that writes; other threads wait until `body` is done.
  ///
  /// - Parameter events: Gets what happened to tables.
  func write(_ events: inout [DAOEvent], _ body: (DAOSession) throws(DAOError) -> Void) throws(DAOError) {
    try writer.withLock { writer throws(DAOError) in
      let session = writer
      defer {
        session.settle()
        if session.hasNewTables { tell(of: session) }
        if !session.events.isEmpty { (events, session.events) = (session.events, []) }
      }
      try body(session)
    }
  }

  /// Lets readers read the tables that are ready; they see nothing of a transaction until it ends.
  private func tell(of session: DAOSession) {
    guard !session.connection.isInTransaction else { return }
    let tables = session.readyTables
    ready.withLock { $0 = tables }
    session.hasNewTables = false
  }

  /// Tells whether a reader may read the table: it was there when no transaction was open.
  func isReady(_ table: String) -> Bool { ready.withLock { $0.contains(table) } }

  /// Uses a connection that reads what was committed, beside the one that writes.
  func read(_ body: (DAOSession) throws(DAOError) -> Void) throws(DAOError) {
    let reader = try reader()
    defer { give(reader) }
    try body(reader.session)
  }

  /// Opens a connection for readers, where none is idle.
  func prepareReader(patience: TimeSpan?) throws(DAOError) {
    if let patience { readers.withLock { $0.patience = patience } }
    give(try reader())
  }

  private func reader() throws(DAOError) -> Reader {
    let (known, key, keyChanges) = readers.withLock { readers in
      (Unshared(readers.idle.popLast()?.session), readers.key, readers.keyChanges)
    }
    if let known = known.value { return Reader(session: known, keyChanges: keyChanges) }
    do {
      return Reader(session: try open(key), keyChanges: keyChanges)
    } catch {
      // The key may have been changed meanwhile.
      let (key, now) = readers.withLock { ($0.key, $0.keyChanges) }
      guard now != keyChanges else { throw error }
      return Reader(session: try open(key), keyChanges: now)
    }
  }

  private func open(_ key: DatabaseKey?) throws(DAOError) -> DAOSession {
    DAOSession(module, try DAOConnection(path, isReader: true, key: key))
  }

  /// Takes a connection back, and closes those that were idle for too long; one with a former key is closed, too.
  private func give(_ reader: Reader) {
    let now = MonotonicInstant.now
    let given = Unshared(reader.session)
    let keyChanges = reader.keyChanges
    readers.withLock { readers in
      readers.idle.removeAll { now - $0.since > readers.patience }
      if keyChanges == readers.keyChanges { readers.idle.append(IdleReader(session: given.value, since: now)) }
    }
  }
}

/// A value that one thread at a time uses, on its way through a lock.
///
/// `@unchecked Sendable`: it is handed from one thread to another, which alone has it then.
private struct Unshared<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension DAOSession {
  var database: DAODatabase { DAODatabase(connection) }
}
