import MPaaSLock

/// A value that comes once, or the error that comes in its place; any number of tasks wait for it.
final class Promise<Value: Sendable>: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
    var last = 0
  }

  private let state = Lock(State())

  /// Nil while nothing has come.
  var result: Result<Value, any Error>? { state.withLock { $0.result } }

  /// Gives the value; the first one counts.
  func resolve(_ result: Result<Value, any Error>) {
    let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
      guard state.result == nil else { return [] }
      state.result = result
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in waiting { continuation.resume(with: result) }
  }

  /// The value, as soon as it is there.
  ///
  /// - Throws: What came in its place; `CancellationError` as soon as the task that waits is cancelled.
  func value() async throws -> Value {
    let ticket = state.withLock { state in
      state.last += 1
      return state.last
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Value, any Error>? in
          if let result = state.result { return result }
          // The handler below may have run before.
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiting[ticket] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let continuation = state.withLock { $0.waiting.removeValue(forKey: ticket) }
      continuation?.resume(throwing: CancellationError())
    }
  }
}
