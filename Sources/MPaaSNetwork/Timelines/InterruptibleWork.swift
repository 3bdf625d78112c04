import MPaaSSupport
import NIOPosix
import Synchronization

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
    // Waiting for signals blocks a thread, which must not be one that the work needs.
    let isInterrupted = try await NIOThreadPool.singleton.runIfActive {
      let end = EndRequest()
      while !isDone.isSet {
        if end.next(within: .milliseconds(50)) == .end {
          task.cancel()
          return true
        }
      }
      return false
    }
    return (try await task.value, isInterrupted)
  }

  private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }
}
