import MPaaSLock
import MPaaSSQLite
import MPaaSTime

/// The connections that the objects of one document and database share: one that writes, and some that read beside it.
final class DAOCore: Sendable {
  /// The connection that writes, and what it has to tell when its call is over.
  struct Writer {
    let interpreter: DAOInterpreter
    var events: [DAOEvent] = []
  }

  /// A connection that reads and is not in use.
  struct IdleReader {
    let interpreter: DAOInterpreter
    let since: MonotonicInstant
  }

  struct Readers {
    var idle: [IdleReader] = []
    /// The time after which a connection that is not in use is closed.
    var patience = TimeSpan.seconds(30)
  }

  let program: DAOProgram
  let path: String
  private let writer: Lock<Writer>
  private let readers = Lock(Readers())
  /// The tables that need no look before a reader may read them.
  private let ready = Lock(Set<String>())
  /// The key that readers are opened with; nil where the database is plain.
  private let key: Lock<DatabaseKey?>

  /// - Parameter key: The key of an encrypted database; nil for a plain one.
  init(_ program: DAOProgram, _ path: String, key: DatabaseKey? = nil) throws(DAOError) {
    self.program = program
    self.path = path
    self.key = Lock(key)
    writer = Lock(Writer(interpreter: DAOInterpreter(program, try DAOConnection(path, key: key))))
  }

  /// Encrypts the database with another key; methods go on with it.
  func changeKey(to key: DatabaseKey) throws(DAOError) {
    let (result, _) = write { interpreter throws(DAOError) in try interpreter.connection.changeKey(to: key) }
    try result.get()
    self.key.withLock { $0 = key }
    readers.withLock { $0.idle.removeAll() }
  }

  /// Uses the connection that writes; other threads wait until `body` is done.
  ///
  /// - Returns: The result, and what happened to tables.
  func write<Value: Sendable>(
    _ body: (DAOInterpreter) throws(DAOError) -> Value
  ) -> (result: Result<Value, DAOError>, events: [DAOEvent]) {
    writer.withLock { writer in
      let interpreter = writer.interpreter
      var events: [DAOEvent] = []
      interpreter.onEvent = { events.append($0) }
      defer { interpreter.onEvent = nil }
      let result: Result<Value, DAOError>
      do throws(DAOError) {
        result = .success(try body(interpreter))
      } catch {
        result = .failure(error)
      }
      // Readers see nothing of a transaction until it ends.
      if !interpreter.database.isInTransaction {
        let tables = interpreter.readyTables
        ready.withLock { $0 = tables }
      }
      return (result, events)
    }
  }

  /// Tells whether a reader may read the table: it was there when no transaction was open.
  func isReady(_ table: String) -> Bool { ready.withLock { $0.contains(table) } }

  /// Uses a connection that reads what was committed, beside the one that writes.
  func read<Value>(_ body: (DAOInterpreter) throws(DAOError) -> Value) throws(DAOError) -> Value {
    let interpreter = try reader()
    defer { give(interpreter) }
    return try body(interpreter)
  }

  /// Opens a connection for readers, where none is idle.
  func prepareReader(patience: TimeSpan?) throws(DAOError) {
    if let patience { readers.withLock { $0.patience = patience } }
    give(try reader())
  }

  private func reader() throws(DAOError) -> DAOInterpreter {
    if let found = readers.withLock({ readers -> Unshared<DAOInterpreter?> in
      Unshared(readers.idle.popLast()?.interpreter)
    }).value {
      return found
    }
    return DAOInterpreter(program, try DAOConnection(path, isReader: true, key: key.withLock { $0 }))
  }

  /// Takes a connection back, and closes those that were idle for too long.
  private func give(_ interpreter: DAOInterpreter) {
    let now = MonotonicInstant.now
    let given = Unshared(interpreter)
    readers.withLock { readers in
      readers.idle.removeAll { now - $0.since > readers.patience }
      readers.idle.append(IdleReader(interpreter: given.value, since: now))
    }
  }
}

/// A value that one thread at a time uses, on its way through a lock.
///
/// `@unchecked Sendable`: it is handed from the pool to one thread and back.
private struct Unshared<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension DAOInterpreter {
  var database: DAODatabase { DAODatabase(connection) }
}
