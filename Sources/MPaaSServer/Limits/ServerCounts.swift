import MPaaSDatabase
import Synchronization

/// The counts of what the server accepted and what it refused, by reason; nothing is dropped without a count here.
///
/// Names: `accepted.KIND`, `duplicate.KIND`, `refused.CODE`, `bytes.KIND`.
package final class ServerCounts: Sendable {
  private struct State {
    var values: [String: Int64] = [:]
    /// The counts added since the last time they were kept.
    var fresh: [String: Int64] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  package func add(_ name: String, _ count: Int64 = 1) {
    state.withLock { state in
      state.values[name, default: 0] += count
      state.fresh[name, default: 0] += count
    }
  }

  /// Counts what is in the database already.
  func addStored(_ counts: [String: Int64]) {
    state.withLock { $0.values.merge(counts) { $0 + $1 } }
  }

  package func accepted(_ kind: String, bytes: Int64 = 0) {
    add("accepted.\(kind)")
    if bytes > 0 { add("bytes.\(kind)", bytes) }
  }

  package func duplicate(_ kind: String) { add("duplicate.\(kind)") }

  package func refused(_ code: String) { add("refused.\(code)") }

  /// All counts since the data folder began.
  package var all: [String: Int64] { state.withLock { $0.values } }

  package subscript(_ name: String) -> Int64 { state.withLock { $0.values[name] ?? 0 } }

  /// Adds counts to the database, within a transaction.
  static func store(_ counts: [String: Int64], in database: any SQLDatabase) throws(SQLError) {
    for (name, value) in counts.sorted(by: { $0.key < $1.key }) {
      try database.run(
        """
        INSERT INTO counts VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET value = counts.value + excluded.value
        """,
        [.text(name), .integer(value)])
    }
  }

  /// Brings back what was kept.
  package func begin(from store: ServerStore) async throws {
    let kept = try await Self.kept(in: store)
    state.withLock { state in
      for (name, value) in kept { state.values[name, default: 0] += value }
    }
  }

  /// Adds what is new to the database; what cannot be written now waits for the next time.
  ///
  /// - Parameter isShared: Tells whether other servers count too; then their counts are read.
  package func keep(in store: ServerStore, isShared: Bool = false) async {
    await write(to: store)
    guard isShared, let kept = try? await Self.kept(in: store) else { return }
    state.withLock { state in
      state.values = Dictionary(kept) { $1 }.merging(state.fresh) { $0 + $1 }
    }
  }

  private static func kept(in store: ServerStore) async throws -> [(String, Int64)] {
    try await store.read { try $0.rows("SELECT name, value FROM counts") { ($0.text(0), $0.integer(1)) } }
  }

  private func write(to store: ServerStore) async {
    let fresh = state.withLock { state in
      defer { state.fresh = [:] }
      return state.fresh
    }
    if fresh.isEmpty { return }
    do {
      try await store.write { try Self.store(fresh, in: $0) }
    } catch {
      state.withLock { state in
        for (name, value) in fresh { state.fresh[name, default: 0] += value }
      }
    }
  }
}
