import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Stores what envelopes tell of sessions; many that wait for the disk become one change of the database.
struct SessionIntake: Sendable {
  private let services: ServerServices
  private let queue: StoreQueue<[SessionUpdate], SessionBatch.Outcome>
  /// The most envelopes of one change.
  private static let most = 1_024

  init(_ services: ServerServices) {
    self.services = services
    let now = services.now
    queue = StoreQueue(services.store, limit: services.limits.waiting, most: Self.most) { updates, database in
      let updates = updates.flatMap { $0 }
      var outcome = try SessionBatch.store(updates, at: now(), in: database)
      outcome.patchesLeftOut = try PatchBatch.store(updates.compactMap(\.run), in: database)
      return outcome
    }
  }

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
    let stored = try await queue.store(read.updates)
    // The outcome is of all envelopes of the change.
    if stored.place == 0 { count(stored.outcome) }
  }

  private func count(_ outcome: SessionBatch.Outcome) {
    if outcome.accepted > 0 { services.counts.add("accepted.session", outcome.accepted) }
    if outcome.patchesLeftOut > 0 { services.counts.add("left-out.patches", outcome.patchesLeftOut) }
    if outcome.duplicates > 0 { services.counts.add("duplicate.session", outcome.duplicates) }
    if outcome.refused > 0 {
      services.counts.add("refused.\(ServerError.Code.releasesTooMany.id.name)", outcome.refused)
    }
  }
}
