package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSProtocol
package import MPaaSSupport
package import MPaaSTransfer

extension LogServer {
  /// Asks for a task until nothing more happens to it, or the caller is cancelled.
  ///
  /// - Parameter changed: Gets the task each time that its state is another.
  /// - Returns: The task as it was last seen.
  package func end(
    of task: CollectionTask, _ polling: Polling, changed: (CollectionTask) -> Void
  ) async throws(LogError) -> CollectionTask {
    var task = task
    while !task.state.isFinal, !Task.isCancelled {
      await polling.wait()
      if Task.isCancelled { break }
      let next = try await self.task(task.id)
      if next.state != task.state { changed(next) }
      task = next
    }
    return task
  }

  /// Asks for tasks until the caller is cancelled.
  ///
  /// - Parameter changed: Gets each task when it is first seen, and whenever it is another; the oldest first.
  package func watchTasks(
    _ query: CollectionQuery, _ polling: Polling, changed: (CollectionTask) throws -> Void
  ) async throws {
    var known: [String: CollectionTask] = [:]
    while !Task.isCancelled {
      for task in try await tasks(query).reversed() where known[task.id] != task {
        known[task.id] = task
        try changed(task)
      }
      await polling.wait()
    }
  }

  /// Downloads what a device has uploaded.
  package func fetch(upload: String, to path: String) throws(HTTPError) {
    let request = HTTPRequest("\(url)\(ServerPaths.uploads)/\(PercentEncoding.encode(upload))", headers: headers)
    _ = try client.download(HTTPDownload(request, to: path))
  }
}

extension LogCollector {
  /// Asks the server again and again, and does what it wants, until the caller is cancelled.
  ///
  /// - Parameter looked: Gets what was done at a look at which there was something to do, or why nothing could be.
  package func collect(
    _ polling: Polling, device: @escaping @Sendable () -> DeviceState,
    looked: (Result<[CollectionOutcome], Diagnostic>) throws -> Void
  ) async throws {
    while !Task.isCancelled {
      do {
        let outcomes = try await collect(device)
        if !outcomes.isEmpty { try looked(.success(outcomes)) }
      } catch let problem as any DiagnosticConvertible where !Task.isCancelled {
        try looked(.failure(problem.diagnostic))
      } catch {
        // A look that the end broke off is no failure.
        guard Task.isCancelled else { throw error }
      }
      await polling.wait()
    }
  }
}
