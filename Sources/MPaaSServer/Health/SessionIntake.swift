import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import Synchronization

/// Stores what envelopes tell of sessions; many that wait for the disk become one change of the database.
final class SessionIntake: Sendable {
  private struct Part: Sendable {
    let updates: [SessionUpdate]
    let asker: CheckedContinuation<Void, any Error>
  }

  private struct Waiting {
    var parts: [Part] = []
    /// Tells whether a change of the database that will take them is on its way.
    var isAsked = false
  }

  private let services: ServerServices
  private let waiting = Mutex(Waiting())
  /// The most envelopes of one change.
  private static let most = 1_024

  init(_ services: ServerServices) { self.services = services }

  /// A reader for the items of an envelope of the app.
  func reader(app: String, sent: String?) -> SessionReader {
    SessionReader(app: app, sent: sent, received: services.now())
  }

  /// Stores what was read; returns when it is on the disk.
  ///
  /// - Throws: `server-busy` where too much waits; `SQLError`.
  func store(_ read: SessionReader.Result) async throws {
    for (word, count) in read.refused { services.counts.add("refused.\(word)", count) }
    if read.updates.isEmpty { return }
    try await withCheckedThrowingContinuation { asker in
      let part = Part(updates: read.updates, asker: asker)
      let (isTaken, isFirst) = waiting.withLock { waiting in
        guard waiting.parts.count < services.limits.waiting else { return (false, false) }
        waiting.parts.append(part)
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
      let parts = Array(waiting.parts.prefix(Self.most))
      waiting.parts.removeFirst(parts.count)
      waiting.isAsked = false
      return parts
    }
  }

  private func write() async {
    let taken = Taken()
    do {
      let now = services.now()
      let outcome = try await services.store.write { database in
        // The same ones where the transaction is done again.
        let parts = taken.parts.withLock { parts in
          let found = parts ?? self.take()
          parts = found
          return found
        }
        return try SessionBatch.store(parts.flatMap(\.updates), at: now, in: database)
      }
      count(outcome)
      for part in taken.parts.withLock({ $0 ?? [] }) { part.asker.resume() }
    } catch {
      for part in taken.parts.withLock({ $0 }) ?? take() { part.asker.resume(throwing: error) }
    }
    // More than one change takes had come before it began.
    let isLeft = waiting.withLock { waiting in
      defer { waiting.isAsked = waiting.isAsked || !waiting.parts.isEmpty }
      return !waiting.isAsked && !waiting.parts.isEmpty
    }
    if isLeft { await write() }
  }

  /// The parts that a change took; nil where it never began.
  private final class Taken: Sendable {
    let parts = Mutex<[Part]?>(nil)
  }

  private func count(_ outcome: SessionBatch.Outcome) {
    if outcome.accepted > 0 { services.counts.add("accepted.session", outcome.accepted) }
    if outcome.duplicates > 0 { services.counts.add("duplicate.session", outcome.duplicates) }
    if outcome.refused > 0 {
      services.counts.add("refused.\(ServerError.Code.releasesTooMany.id.name)", outcome.refused)
    }
  }
}
