/// The wish for a token.
package struct TokenWish: Codable, Sendable, Equatable {
  package var name: String
  package var scopes: [String]
  /// `owner`, `admin`, `member`, `reader` or `ingest`, instead of scopes.
  package var role: String?
  /// Seconds; 30 days where it is missing.
  package var lifetime: Double?
  /// The key or the name of the only app that it is for; nil for all that the maker's token is for.
  package var app: String?
  /// The keys or the names of several apps.
  package var apps: [String]?

  package init(
    name: String, scopes: [String] = [], role: String? = nil, lifetime: Double? = nil, app: String? = nil,
    apps: [String]? = nil
  ) {
    self.name = name
    self.scopes = scopes
    self.role = role
    self.lifetime = lifetime
    self.app = app
    self.apps = apps
  }

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    name = try fields.decode(String.self, forKey: .name)
    scopes = try fields.decodeIfPresent([String].self, forKey: .scopes) ?? []
    role = try fields.decodeIfPresent(String.self, forKey: .role)
    lifetime = try fields.decodeIfPresent(Double.self, forKey: .lifetime)
    app = try fields.decodeIfPresent(String.self, forKey: .app)
    apps = try fields.decodeIfPresent([String].self, forKey: .apps)
  }
}

/// A token that was made, told this once.
package struct TokenMade: Codable, Sendable, Equatable {
  package var id: String
  package var name: String
  package var scopes: [String]
  /// Seconds since 1970.
  package var expires: Double
  package var token: String
  /// The key of the only app that it is for.
  package var app: String?
  /// The keys of several.
  package var apps: [String]?

  package init(
    id: String, name: String, scopes: [String], expires: Double, token: String, app: String? = nil,
    apps: [String]? = nil
  ) {
    self.id = id
    self.name = name
    self.scopes = scopes
    self.expires = expires
    self.token = token
    self.app = app
    self.apps = apps
  }
}

/// A token as lists show it: without itself.
package struct TokenEntry: Codable, Sendable, Equatable {
  package var id: String
  package var name: String
  package var scopes: [String]
  /// The keys of the apps that it is for; empty for all.
  package var apps: [String]
  /// Seconds since 1970.
  package var created: Double
  package var expires: Double

  package init(id: String, name: String, scopes: [String], apps: [String], created: Double, expires: Double) {
    (self.id, self.name, self.scopes, self.apps) = (id, name, scopes, apps)
    (self.created, self.expires) = (created, expires)
  }
}

/// The answer to a question for tokens.
package struct TokenPage: Codable, Sendable, Equatable {
  package var tokens: [TokenEntry]

  package init(tokens: [TokenEntry]) { self.tokens = tokens }
}

/// The wish to put another token in the place of one.
package struct TokenRotation: Codable, Sendable, Equatable {
  /// Seconds for which the old one stays good; none where it is missing.
  package var grace: Double?
  /// Seconds; the old one's whole life where it is missing.
  package var lifetime: Double?

  package init(grace: Double? = nil, lifetime: Double? = nil) { (self.grace, self.lifetime) = (grace, lifetime) }
}
