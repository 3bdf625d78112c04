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
  }

  let module: DAOModule
  let path: String
  private let writer: Lock<DAOSession>
  private let readers = Lock(Readers())
  /// The tables that need no look before a reader may read them.
  private let ready = Lock(Set<String>())
  /// The key that readers are opened with; nil where the database is plain.
  private let key: Lock<DatabaseKey?>

  /// - Parameter key: The key of an encrypted database; nil for a plain one.
  init(_ module: DAOModule, _ path: String, key: DatabaseKey? = nil) throws(DAOError) {
    self.module = module
    self.path = path
    self.key = Lock(key)
    writer = Lock(DAOSession(module, try DAOConnection(path, key: key)))
  }

  /// Encrypts the database with another key; methods go on with it.
  func changeKey(to key: DatabaseKey) throws(DAOError) {
    var events: [DAOEvent] = []
    try write(&events) { session throws(DAOError) in try session.connection.changeKey(to: key) }
    self.key.withLock { $0 = key }
    readers.withLock { $0.idle.removeAll() }
  }

  /// Uses the connection that writes; other threads wait until `body` is done.
  ///
  /// - Parameter events: Gets what happened to tables.
  func write<Value>(
    _ events: inout [DAOEvent], _ body: (DAOSession) throws(DAOError) -> Value
  ) throws(DAOError) -> Value {
    let (result, happened) = writer.withLock { session -> (Unshared<Result<Value, DAOError>>, [DAOEvent]) in
      let result: Result<Value, DAOError>
      do throws(DAOError) {
        result = .success(try body(session))
      } catch {
        result = .failure(error)
      }
      // Readers see nothing of a transaction until it ends.
      if session.hasNewTables, !session.connection.database.isInTransaction {
        let tables = session.readyTables
        ready.withLock { $0 = tables }
        session.hasNewTables = false
      }
      guard !session.events.isEmpty else { return (Unshared(result), []) }
      let happened = session.events
      session.events = []
      return (Unshared(result), happened)
    }
    events = happened
    return try result.value.get()
  }

  /// Tells whether a reader may read the table: it was there when no transaction was open.
  func isReady(_ table: String) -> Bool { ready.withLock { $0.contains(table) } }

  /// Uses a connection that reads what was committed, beside the one that writes.
  func read<Value>(_ body: (DAOSession) throws(DAOError) -> Value) throws(DAOError) -> Value {
    let session = try reader()
    defer { give(session) }
    return try body(session)
  }

  /// Opens a connection for readers, where none is idle.
  func prepareReader(patience: TimeSpan?) throws(DAOError) {
    if let patience { readers.withLock { $0.patience = patience } }
    give(try reader())
  }

  private func reader() throws(DAOError) -> DAOSession {
    if let found = readers.withLock({ readers -> Unshared<DAOSession?> in
      Unshared(readers.idle.popLast()?.session)
    }).value {
      return found
    }
    return DAOSession(module, try DAOConnection(path, isReader: true, key: key.withLock { $0 }))
  }

  /// Takes a connection back, and closes those that were idle for too long.
  private func give(_ session: DAOSession) {
    let now = MonotonicInstant.now
    let given = Unshared(session)
    readers.withLock { readers in
      readers.idle.removeAll { now - $0.since > readers.patience }
      readers.idle.append(IdleReader(session: given.value, since: now))
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
