/// The paths of flags on the server.
package enum FlagPaths {
  /// Operators: the state; below it `changes`, `history`, `proposals`, `environments`, `watch` and `usage`.
  package static let flags = "/api/v1/flags"
  package static let changes = flags + "/changes"
  package static let history = flags + "/history"
  package static let proposals = flags + "/proposals"
  package static let environments = flags + "/environments"
  package static let watch = flags + "/watch"
  package static let usage = flags + "/usage"
  /// The base of Unleash's client API: `/client/features`, `/client/streaming`, `/frontend` and others below it.
  package static let unleash = "/unleash/api"
  /// OpenFeature's remote evaluation: `/evaluate/flags` below it.
  package static let remoteEvaluation = "/ofrep/v1"
  /// Tokens: POST makes one.
  package static let tokens = "/api/v1/tokens"
}

/// The wish for a token.
package struct TokenWish: Codable, Sendable, Equatable {
  package var name: String
  package var scopes: [String]
  /// Seconds; 30 days where it is missing.
  package var lifetime: Double?
  /// The key or the name of the only app that it is for; nil for all that the maker's token is for.
  package var app: String?

  package init(name: String, scopes: [String], lifetime: Double? = nil, app: String? = nil) {
    self.name = name
    self.scopes = scopes
    self.lifetime = lifetime
    self.app = app
  }
}

/// A token that was made, told this once.
package struct TokenMade: Codable, Sendable, Equatable {
  package var id: String
  package var name: String
  package var scopes: [String]
  package var expires: Double
  package var token: String
  /// The key of the only app that it is for.
  package var app: String?

  package init(id: String, name: String, scopes: [String], expires: Double, token: String, app: String? = nil) {
    self.id = id
    self.name = name
    self.scopes = scopes
    self.expires = expires
    self.token = token
    self.app = app
  }
}
