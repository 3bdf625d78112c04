/// The permissions of a token.
package enum Scope: String, Sendable, CaseIterable, Codable {
  /// To send crashes, records, alive reports and uploads, and to answer collection tasks.
  case ingest
  /// To see what was sent.
  case read
  /// To ask for logs.
  case collect
  /// To change flags.
  case flags
  /// To answer feedback, to push badges, and to report outcomes of notifications.
  case operate
  /// Everything.
  case admin
}

/// The permissions of a caller.
package struct Grant: Sendable, Equatable {
  /// Names the token without being it.
  package let id: String
  package let name: String
  package let scopes: Set<Scope>
  /// The key of the app that the token is limited to.
  package let app: String?
  /// Seconds since 1970.
  package let created: Double
  package let expires: Double

  package func permits(_ scope: Scope) -> Bool { scopes.contains(scope) || scopes.contains(.admin) }
}
