package import MPaaSProtocol

/// What an operator asks for: a user's logs of a window of time.
package struct CollectionWish: Codable, Sendable, Equatable {
  /// Made by who asks, so that asking twice makes one task.
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

  /// Collection tasks, the newest first.
  ///
  /// - Parameters:
  ///   - device: Those that this device may do.
  ///   - before: The id of a task; only those behind it.
  package func tasks(
    user: String? = nil, device: String? = nil, state: CollectionTask.State? = nil, before: String? = nil,
    limit: Int? = nil
  ) async throws(LogError) -> [CollectionTask] {
    let query = [
      ("user", user), ("device", device), ("state", state?.rawValue), ("before", before),
      ("limit", limit.map(String.init)),
    ].compactMap { name, value in value.map { name + "=" + $0.percentEncoded } }
    let path = ServerPaths.tasks + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    let page: CollectionTaskPage = try await ask("GET", path)
    return page.tasks
  }

  /// A task as it stands.
  package func task(_ id: String) async throws(LogError) -> CollectionTask {
    try await ask("GET", ServerPaths.tasks + "/" + id.percentEncoded)
  }

  /// Says what has become of a task.
  package func change(_ id: String, _ change: CollectionTaskChange) async throws(LogError) -> CollectionTask {
    try await ask("PATCH", ServerPaths.tasks + "/" + id.percentEncoded, json: change)
  }
}

extension String {
  /// The text as a part of an address: all but unreserved characters as `%XX` (RFC 3986, section 2.3).
  package var percentEncoded: String {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e: encoded.append(byte)
      default: encoded += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }
}
