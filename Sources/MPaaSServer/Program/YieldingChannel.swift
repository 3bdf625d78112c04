import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// A channel whose requests are worked on below the priority at which connections are accepted.
///
/// Each connection is handed from the event loop to a task before it is read, and the event loop accepts a few more only
/// once that has been done. At one priority, a new connection waits behind the work of all that came before it.
struct YieldingChannel<Base: ServerChildChannel>: ServerChildChannel {
  let base: Base

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    base.setup(channel: channel, logger: logger)
  }

  func handle(value: Base.Value, logger: Logger) async {
    let work = Work()
    await withTaskCancellationHandler {
      // A task whose value is awaited gets the priority of the one that waits; a continuation lifts nothing.
      await withCheckedContinuation { ended in
        work.hold(
          Task(priority: .medium) {
            await base.handle(value: value, logger: logger)
            ended.resume()
          })
      }
    } onCancel: {
      work.cancel()
    }
  }
}

/// A task that may be cancelled before it is there.
private final class Work: Sendable {
  private enum State {
    case idle
    case running(Task<Void, Never>)
    case cancelled
  }

  private let state = Mutex(State.idle)

  func hold(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .running(task)
      return false
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let before = state.withLock { state in
      defer { state = .cancelled }
      return state
    }
    if case .running(let task) = before { task.cancel() }
  }
}
