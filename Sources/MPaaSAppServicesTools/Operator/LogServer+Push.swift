package import MPaaSLogUpload
package import MPaaSLogs
package import MPaaSProtocol

/// A question for installations; what is nil leaves none out.
package struct PushInstallationQuery: Sendable, Equatable {
  package var user: String?
  package var tag: String?
  package var topic: String?
  package var environment: PushEnvironment?

  package init(user: String? = nil, tag: String? = nil, topic: String? = nil, environment: PushEnvironment? = nil) {
    (self.user, self.tag, self.topic, self.environment) = (user, tag, topic, environment)
  }
}

extension LogServer {
  /// Installations for notifications, the newest first.
  ///
  /// - Parameter cursor: The word of the part before; nil for the beginning.
  package func installations(
    _ query: PushInstallationQuery, limit: Int? = nil, cursor: String? = nil
  ) async throws(LogError) -> PushInstallationPage {
    let words = [
      ("user", query.user), ("tag", query.tag), ("topic", query.topic), ("environment", query.environment?.rawValue),
      ("limit", limit.map { String($0) }), ("cursor", cursor),
    ]
    return try await ask("GET", ServerPaths.pushInstallations + AddressWords.text(words))
  }

  /// The tokens of all installations that a question lets pass, each once.
  package func pushTokens(_ query: PushInstallationQuery) async throws(LogError) -> [String] {
    var (tokens, known, cursor) = ([String](), Set<String>(), String?.none)
    repeat {
      let page = try await installations(query, limit: 100, cursor: cursor)
      for entry in page.installations where known.insert(entry.token).inserted { tokens.append(entry.token) }
      cursor = page.cursor
    } while cursor != nil
    return tokens
  }
}
