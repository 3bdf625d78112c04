import MPaaSDatabase
import MPaaSSupport
import Synchronization

/// Items that wait to be stored: those that have come while the disk was busy become one change of the database.
final class StoreQueue<Item: Sendable, Outcome: Sendable>: Sendable {
  /// The outcome of a change that stored an item, and the item's place among those of the change.
  struct Stored: Sendable {
    let outcome: Outcome
    let place: Int
  }

  private struct Part: Sendable {
    let item: Item
    let asker: CheckedContinuation<Stored, any Error>
  }

  private struct Waiting {
    var parts: [Part] = []
    /// Tells whether a change of the database that will take them is on its way.
    var isAsked = false
  }

  private let store: ServerStore
  private let waiting = Mutex(Waiting())
  private let limit: Int
  private let most: Int
  private let change: @Sendable ([Item], any SQLDatabase) throws -> Outcome

  /// - Parameters:
  ///   - limit: Items that wait; one more is refused with `server-busy`.
  ///   - most: Items of one change.
  ///   - change: Stores items; it is called again where its transaction was in the way of another server's.
  init(
    _ store: ServerStore, limit: Int, most: Int,
    _ change: @escaping @Sendable ([Item], any SQLDatabase) throws -> Outcome
  ) {
    (self.store, self.limit, self.most, self.change) = (store, limit, most, change)
  }

  /// Stores an item; returns when it is on the disk.
  ///
  /// - Throws: `server-busy` where too many wait; `SQLError`; what the change throws for the item alone.
  func store(_ item: Item) async throws -> Stored {
    try await withCheckedThrowingContinuation { asker in
      let (isTaken, isFirst) = waiting.withLock { waiting in
        guard waiting.parts.count < limit else { return (false, false) }
        waiting.parts.append(Part(item: item, asker: asker))
        defer { waiting.isAsked = true }
        return (true, !waiting.isAsked)
      }
      guard isTaken else { return asker.resume(throwing: ServerError(.busy)) }
      if isFirst { Task { await write() } }
    }
  }

  /// The parts that one change stores; another change is to be asked for what comes from now on.
  private func take() -> [Part] {
    waiting.withLock { waiting in
      let parts = Array(waiting.parts.prefix(most))
      waiting.parts.removeFirst(parts.count)
      waiting.isAsked = false
      return parts
    }
  }

  private func write() async {
    let taken = Taken()
    do {
      let outcome = try await store.write { [change] database in
        // The same ones where the transaction is done again.
        let parts = taken.parts.withLock { parts in
          let found = parts ?? self.take()
          parts = found
          return found
        }
        return try change(parts.map(\.item), database)
      }
      let parts = taken.parts.withLock { $0 ?? [] }
      for (place, part) in parts.enumerated() { part.asker.resume(returning: Stored(outcome: outcome, place: place)) }
    } catch {
      await answer(taken.parts.withLock { $0 } ?? take(), after: error)
    }
    // More than one change takes had come before it began.
    let isLeft = waiting.withLock { waiting in
      defer { waiting.isAsked = waiting.isAsked || !waiting.parts.isEmpty }
      return !waiting.isAsked && !waiting.parts.isEmpty
    }
    if isLeft { await write() }
  }

  /// Stores each part alone where the error may be one of another part.
  private func answer(_ parts: [Part], after error: any Error) async {
    let code = (error as? SQLError)?.code
    let isOfAll = parts.count == 1 || code == .unavailable || code == .contention || code == .full
    for part in parts {
      if isOfAll {
        part.asker.resume(throwing: error)
        continue
      }
      do {
        let outcome = try await store.write { [change] in try change([part.item], $0) }
        part.asker.resume(returning: Stored(outcome: outcome, place: 0))
      } catch {
        part.asker.resume(throwing: error)
      }
    }
  }

  /// The parts that a change took; nil where it never began.
  private final class Taken: Sendable {
    let parts = Mutex<[Part]?>(nil)
  }
}
