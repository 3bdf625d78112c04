package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSProtocol

/// A wish of an operator: a user's logs of a window of time.
package struct CollectionWish: Codable, Sendable, Equatable {
  /// Made by the caller, so that asking twice makes one task.
  package var id: String
  /// The app's key or name; nil is the token's, or the server's first.
  package var app: String?
  package var user: String
  /// nil asks each device of the user.
  package var device: String?
  /// Seconds since 1970.
  package var from: Double
  package var to: Double
  package var network = CollectionTask.Network.any
  package var types: [String] = []
  /// Seconds since 1970; nil leaves it to the server.
  package var expires: Double?

  package init(id: String, user: String, from: Double, to: Double) {
    self.id = id
    self.user = user
    self.from = from
    self.to = to
  }
}

extension LogServer {
  /// Asks for logs.
  package func collect(_ wish: CollectionWish) async throws(LogError) -> CollectionTask {
    try await ask("POST", ServerPaths.tasks, json: wish)
  }
}
