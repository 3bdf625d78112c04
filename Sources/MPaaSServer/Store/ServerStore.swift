import Dispatch
package import MPaaSDatabase
import MPaaSSupport
import Synchronization

/// The server's database: one thread writes, and answers when what it wrote is on the disk; others read.
///
/// Changes that wait while the disk is busy are put into one transaction (group commit), each in a savepoint of its
/// own: one that throws takes back itself alone. There is no answer before the whole is durable.
package final class ServerStore: Sendable {
  /// The changes that wait; `isDraining` while the writer's thread is at work.
  private struct Waiting {
    var changes: [StoreChange] = []
    var isDraining = false
  }

  /// The most changes of one transaction, so that the first of them does not wait for long.
  private static let groupLimit = 512

  package let path: String
  private let limit: Int
  private let waiting = Mutex(Waiting())
  private let writer: StoreConnection
  private let readers: [StoreConnection]
  private let turn = Atomic<Int>(0)

  /// Opens the database, makes it where it is missing, and brings its tables to the newest form.
  ///
  /// - Parameters:
  ///   - steps: How its tables came to be, one after the other.
  ///   - limit: Changes that wait; one more is refused with `server-busy`.
  ///   - readers: Connections that read at the same time.
  ///   - claim: Called with the database once its tables are there; what it throws ends the opening.
  /// - Throws: `SQLError`.
  package init(
    _ path: String, steps: [String], limit: Int = 10_000, readers: Int = 2,
    claim: (any SQLDatabase) throws -> Void = { _ in }
  ) throws {
    self.path = path
    self.limit = limit
    let database = try DatabaseAddress(path).open()
    try database.migrate(steps)
    try claim(database)
    writer = StoreConnection(database, "mpaas.store.writer")
    self.readers = try (0..<max(readers, 1)).map { number in
      StoreConnection(try DatabaseAddress(path).open(.readOnly), "mpaas.store.reader.\(number)")
    }
  }

  /// Changes that wait to be written.
  package var backlog: Int { waiting.withLock { $0.changes.count } }

  /// Does `body` within a transaction that others may share; returns when that is on the disk.
  ///
  /// - Throws: What `body` throws, and then nothing of it is kept; `server-busy` where too many wait; `SQLError`.
  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLDatabase) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let change = StoreChange(body, continuation)
      let (isTaken, isFirst) = waiting.withLock { waiting in
        guard waiting.changes.count < limit else { return (false, false) }
        waiting.changes.append(change)
        defer { waiting.isDraining = true }
        return (true, !waiting.isDraining)
      }
      guard isTaken else { return continuation.resume(throwing: ServerError(.busy)) }
      if isFirst { writer.queue.async { self.drain() } }
    }
  }

  /// Reads with a connection that sees all that was answered before.
  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLDatabase) throws -> Value
  ) async throws -> Value {
    let reader = readers[turn.wrappingAdd(1, ordering: .relaxed).oldValue % readers.count]
    return try await withCheckedThrowingContinuation { continuation in
      reader.queue.async { continuation.resume(with: Result { try body(reader.database) }) }
    }
  }

  /// Returns when all changes that waited have been answered.
  package func settle() async {
    await withCheckedContinuation { continuation in writer.queue.async { continuation.resume() } }
  }

  private func drain() {
    while true {
      let group = waiting.withLock { waiting -> [StoreChange] in
        let group = Array(waiting.changes.prefix(Self.groupLimit))
        waiting.changes.removeFirst(group.count)
        if group.isEmpty { waiting.isDraining = false }
        return group
      }
      if group.isEmpty { return }
      commit(group)
    }
  }

  private func commit(_ group: [StoreChange]) {
    let database = writer.database
    var done: [StoreChange.Outcome] = []
    do {
      try database.run("BEGIN IMMEDIATE")
      for change in group {
        try database.run("SAVEPOINT change")
        let outcome = change.run(database)
        if outcome.hasFailed { try database.run("ROLLBACK TO change") }
        try database.run("RELEASE change")
        done.append(outcome)
      }
      try database.run("COMMIT")
      for outcome in done { outcome.answer(nil) }
    } catch {
      try? database.run("ROLLBACK")
      for outcome in done { outcome.answer(error) }
      for change in group.dropFirst(done.count) { change.refuse(error) }
    }
  }
}

/// A connection and the thread that alone uses it.
private final class StoreConnection: @unchecked Sendable {
  /// Touched on `queue` only, after it was made; hence no other protection.
  let database: any SQLDatabase
  let queue: DispatchQueue

  init(_ database: any SQLDatabase, _ name: String) {
    self.database = database
    queue = DispatchQueue(label: name, qos: .userInitiated)
  }
}

/// A change that waits, and how its asker is answered.
struct StoreChange: Sendable {
  struct Outcome {
    /// Tells whether the change threw: what it had done is to be taken back.
    let hasFailed: Bool
    /// Answers the asker, with the error of the whole transaction where that failed.
    let answer: (_ failure: (any Error)?) -> Void
  }

  let run: @Sendable (any SQLDatabase) -> Outcome
  /// Answers the asker of a change that did not run.
  let refuse: @Sendable (any Error) -> Void

  init<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLDatabase) throws -> Value, _ asker: CheckedContinuation<Value, any Error>
  ) {
    run = { database in
      let result = Result { try body(database) }
      if case .failure = result { return Outcome(hasFailed: true) { _ in asker.resume(with: result) } }
      return Outcome(hasFailed: false) { failure in
        if let failure { asker.resume(throwing: failure) } else { asker.resume(with: result) }
      }
    }
    refuse = { asker.resume(throwing: $0) }
  }
}
