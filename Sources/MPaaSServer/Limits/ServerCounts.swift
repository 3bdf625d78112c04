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

  package func accepted(_ kind: String, bytes: Int64 = 0) {
    add("accepted.\(kind)")
    if bytes > 0 { add("bytes.\(kind)", bytes) }
  }

  package func duplicate(_ kind: String) { add("duplicate.\(kind)") }

  package func refused(_ code: String) { add("refused.\(code)") }

  /// All counts since the data folder began.
  package var all: [String: Int64] { state.withLock { $0.values } }

  package subscript(_ name: String) -> Int64 { state.withLock { $0.values[name] ?? 0 } }

  /// Brings back what was kept.
  package func begin(from store: ServerStore) async throws {
    let kept = try await store.read { try $0.rows("SELECT name, value FROM counts") { ($0.text(0), $0.integer(1)) } }
    state.withLock { state in
      for (name, value) in kept { state.values[name, default: 0] += value }
    }
  }

  /// Adds what is new to the database; what cannot be written now waits for the next time.
  package func keep(in store: ServerStore) async {
    let fresh = state.withLock { state in
      defer { state.fresh = [:] }
      return state.fresh
    }
    if fresh.isEmpty { return }
    do {
      try await store.write { database in
        for (name, value) in fresh {
          try database.run(
            """
            INSERT INTO counts VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET value = counts.value + excluded.value
            """,
            [.text(name), .integer(value)])
        }
      }
    } catch {
      state.withLock { state in
        for (name, value) in fresh { state.fresh[name, default: 0] += value }
      }
    }
  }
}
