import Dispatch
package import MPaaSDatabase
import MPaaSSupport
import Synchronization

/// The server's database: one thread writes, and answers when what it wrote is on the disk; others read.
///
/// Changes that wait while the disk is busy are put into one transaction (group commit), each behind a mark of its own:
/// one that throws takes back itself alone. There is no answer before the whole is durable. What a change does is done
/// again where its transaction was in the way of another server's, so it keeps nothing but what it gives.
package final class ServerStore: Sendable {
  /// The changes that wait; `isDraining` while the writer's thread is at work.
  private struct Waiting {
    var changes: [StoreChange] = []
    var isDraining = false
  }

  /// The most changes of one transaction, so that the first of them does not wait for long.
  private static let groupLimit = 512

  /// The file, or the address without its password; for messages.
  package let path: String
  /// Tells whether the database is a file, and not at a server.
  private let isFile: Bool
  private let limit: Int
  private let waiting = Mutex(Waiting())
  private let writer: StoreConnection
  private let readers: [StoreConnection]
  private let turn = Atomic<Int>(0)

  /// Opens the database, makes it where it is missing, and brings its tables to the newest form.
  ///
  /// - Parameters:
  ///   - path: A file of SQLite, or `postgres://…`.
  ///   - steps: How its tables came to be, one after the other.
  ///   - limit: Changes that wait; one more is refused with `server-busy`.
  ///   - readers: Connections that read at the same time.
  ///   - patience: Seconds for which a server of PostgreSQL that is away is waited for.
  ///   - claim: Called with the database once its tables are there; what it throws ends the opening.
  /// - Throws: `SQLError`.
  package init(
    _ path: String, steps: [String], limit: Int = 10_000, readers: Int = 2, patience: Double = 30,
    claim: (any SQLDatabase) throws -> Void = { _ in }
  ) throws {
    self.limit = limit
    let address = DatabaseAddress(path)
    isFile = address.isFile
    let patience = StorePatience(patience)
    let database = try patience.opened(passes: { $0.code == .unavailable || $0.code == .contention }) {
      () throws(SQLError) -> any SQLDatabase in
      let database = try address.open()
      try database.migrate(steps)
      return database
    }
    self.path = database.path
    try claim(database)
    writer = StoreConnection(database, "mpaas.store.writer", patience)
    self.readers = try (0..<max(readers, 1)).map { number in
      StoreConnection(try address.open(.readOnly), "mpaas.store.reader.\(number)", patience)
    }
  }

  /// Has the database take nothing from now on unless the server of this number is signed in, as each transaction finds at
  /// its end; nil takes all.
  func fence(by number: Int64?) { writer.fence.withLock { $0 = number } }

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
      reader.queue.async { continuation.resume(with: Result { try reader.read(body) }) }
    }
  }

  /// Asks the database's server, where it has one, for nothing.
  ///
  /// - Throws: `database-unavailable` where it is away.
  package func checkServer() async throws {
    if isFile { return }
    _ = try await read { try $0.row("SELECT 1") { $0.integer(0) } }
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
      writer.commit(group)
    }
  }
}
