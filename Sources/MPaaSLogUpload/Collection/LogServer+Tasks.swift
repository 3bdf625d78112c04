package import MPaaSLogs
package import MPaaSProtocol
import MPaaSSupport

extension LogServer {
  /// The same server, asked as a device that proves itself by its secret.
  package func asDevice(secret: String) -> LogServer {
    var server = self
    server.deviceSecret = secret
    return server
  }

  /// Collection tasks, the newest first.
  package func tasks(_ query: CollectionQuery) async throws(LogError) -> [CollectionTask] {
    let words = [
      ("user", query.user), ("device", query.device), ("state", query.state?.rawValue), ("before", query.before),
      ("limit", query.limit.map(String.init)),
    ].compactMap { name, value in value.map { name + "=" + PercentEncoding.encode($0) } }
    let path = ServerPaths.tasks + (words.isEmpty ? "" : "?" + words.joined(separator: "&"))
    let page: CollectionTaskPage = try await ask("GET", path)
    return page.tasks
  }

  /// A task as it stands.
  package func task(_ id: String) async throws(LogError) -> CollectionTask {
    try await ask("GET", ServerPaths.tasks + "/" + PercentEncoding.encode(id))
  }

  /// Says what has become of a task.
  package func change(_ id: String, _ change: CollectionTaskChange) async throws(LogError) -> CollectionTask {
    try await ask("PATCH", ServerPaths.tasks + "/" + PercentEncoding.encode(id), json: change)
  }
}
