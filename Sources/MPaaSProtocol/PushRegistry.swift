/// The two environments of APNs, each with tokens of its own.
package enum PushEnvironment: String, Codable, Sendable, CaseIterable {
  case production
  case sandbox
}

/// An installation of an app with its token for notifications, as the app tells the server.
package struct PushInstallation: Codable, Sendable, Equatable {
  /// A name that the app keeps as long as it is not removed; a new token replaces the one that it had.
  package var installation: String
  package var token: String
  /// The user who is signed in; nil unbinds the token from any.
  package var user: String?
  /// The topic of APNs: the bundle identifier, with the ending that some types want.
  package var topic: String
  package var environment: PushEnvironment
  /// The language of the user, as BCP 47 has it.
  package var locale: String?
  /// Words by which operators choose receivers.
  package var tags: [String]?
  /// The zone of the user's clocks, such as `Asia/Shanghai`.
  package var timezone: String?
  /// The version of the app.
  package var version: String?
  /// Seconds since 1970 at which the system gave the token, by the device's clock.
  package var registered: Double

  package init(
    installation: String, token: String, user: String? = nil, topic: String,
    environment: PushEnvironment = .production, locale: String? = nil, tags: [String]? = nil, timezone: String? = nil,
    version: String? = nil, registered: Double
  ) {
    (self.installation, self.token, self.user, self.topic) = (installation, token, user, topic)
    (self.environment, self.locale, self.tags, self.registered) = (environment, locale, tags, registered)
    (self.timezone, self.version) = (timezone, version)
  }
}

/// The answer to a report of an installation, or to its removal.
package struct PushRegistration: Codable, Sendable, Equatable {
  package var installation: String
  /// The number of other entries that went: of installations that had the token before, or of the removed one.
  package var removed: Int

  package init(installation: String, removed: Int) {
    self.installation = installation
    self.removed = removed
  }
}

/// An installation as operators see it.
package struct PushInstallationEntry: Codable, Sendable, Equatable {
  /// Later installations have higher numbers.
  package var number: Int64
  package var app: String
  package var installation: String
  package var token: String
  package var user: String?
  package var topic: String
  package var environment: PushEnvironment
  package var locale: String?
  package var tags: [String]
  package var timezone: String?
  package var version: String?
  /// Seconds since 1970: of the token, never later than it was told; and of the last report.
  package var registered: Double
  package var updated: Double

  package init(number: Int64, app: String, _ installation: PushInstallation, updated: Double) {
    (self.number, self.app, self.updated) = (number, app, updated)
    (self.installation, token, user) = (installation.installation, installation.token, installation.user)
    (topic, environment, locale) = (installation.topic, installation.environment, installation.locale)
    (tags, registered) = (installation.tags ?? [], installation.registered)
    (timezone, version) = (installation.timezone, installation.version)
  }
}

/// A part of the list of installations, the newest first.
package struct PushInstallationPage: Codable, Sendable, Equatable {
  package var installations: [PushInstallationEntry]
  /// The word by which the next part is asked for; nil where there is none.
  package var cursor: String?

  package init(installations: [PushInstallationEntry], cursor: String?) {
    self.installations = installations
    self.cursor = cursor
  }
}

/// A provider's refusal of a notification to a token, as senders report it.
package struct PushRefusal: Codable, Sendable, Equatable {
  package var token: String
  package var status: Int
  package var reason: String
  /// The millisecond since 1970 at which APNs last knew that the token had ended.
  package var timestamp: UInt64?

  package init(token: String, status: Int, reason: String, timestamp: UInt64? = nil) {
    (self.token, self.status, self.reason, self.timestamp) = (token, status, reason, timestamp)
  }
}

/// Refusals that a sender reports; those that end a token take it out of the registry.
package struct PushRefusals: Codable, Sendable, Equatable {
  /// The environment that was asked; nil for both, or for a provider that has none.
  package var environment: PushEnvironment?
  package var outcomes: [PushRefusal]

  /// The most refusals in one report.
  package static let most = 500

  package init(environment: PushEnvironment? = nil, outcomes: [PushRefusal]) {
    self.environment = environment
    self.outcomes = outcomes
  }
}

/// The tokens that a report has ended.
package struct PushEndings: Codable, Sendable, Equatable {
  package var ended: [String]

  package init(ended: [String]) { self.ended = ended }
}
