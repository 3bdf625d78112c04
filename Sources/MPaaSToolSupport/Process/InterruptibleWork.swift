import MPaaSLock
import MPaaSSupport

/// Work that SIGINT and SIGTERM end early.
package enum InterruptibleWork {
  /// Does `work`; a signal cancels it, and then it is waited for.
  ///
  /// - Returns: What it gave, and whether it was told to end.
  package static func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> (value: Value, isInterrupted: Bool) {
    let isDone = Flag()
    let task = Task {
      defer { isDone.set() }
      return try await work()
    }
    let isInterrupted = await withCheckedContinuation { continuation in
      // Waiting for signals blocks a thread, which must not be one that the work needs.
      DetachedThread.run {
        let end = EndRequest()
        while !isDone.isSet {
          guard end.next(within: .milliseconds(50)) == .end else { continue }
          task.cancel()
          return continuation.resume(returning: true)
        }
        continuation.resume(returning: false)
      }
    }
    return (try await task.value, isInterrupted)
  }

  private final class Flag: Sendable {
    private let value = Lock(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }
}
