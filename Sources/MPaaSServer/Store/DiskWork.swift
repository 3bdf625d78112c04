package import NIOPosix

/// Threads for what waits for the disk or takes long, so that requests go on meanwhile.
package struct DiskWork: Sendable {
  package let threads: NIOThreadPool

  package init(threads count: Int = 4) {
    threads = NIOThreadPool(numberOfThreads: count)
    threads.start()
  }

  /// Does `body` on one of the threads.
  package func callAsFunction<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await threads.runIfActive(body)
  }
}
