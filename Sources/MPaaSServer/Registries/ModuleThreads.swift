import Dispatch

/// Threads for the client of registries, which waits for the network and the disk where it is called.
///
/// Tasks of requests have as many threads as the machine has processors: one that waits is one less for all of them.
final class ModuleThreads: TaskExecutor {
  private let queue = DispatchQueue(label: "mpaas.modules", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Does `body` on one of the threads.
  func callAsFunction<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await Task.detached(executorPreference: self, operation: body).value
  }
}
