import NIOCore
import Synchronization

/// Lets a few go on at once; all others wait in a row, the first first.
///
/// A waiting task is in no other queue, so that quick requests, such as `/livez`, do not wait behind a thousand of them.
/// A turn is for work that takes a short time whatever a client does.
package final class Turns: Sendable {
  private struct State {
    var free: Int
    var row = CircularBuffer<CheckedContinuation<Void, Never>>()
  }

  private let state: Mutex<State>

  package init(_ count: Int) { state = Mutex(State(free: max(count, 1))) }

  /// The number of tasks that wait.
  var waiting: Int { state.withLock { $0.row.count } }

  package func callAsFunction<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    await take()
    defer { give() }
    return try await body()
  }

  private func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.row.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  /// Hands the turn to the first of the row.
  private func give() {
    let next = state.withLock { state in
      let next = state.row.popFirst()
      if next == nil { state.free += 1 }
      return next
    }
    next?.resume()
  }
}
