/// The paths of the console's tokens, people, audit log, alerts, builds and modules.
package enum ConsolePaths {
  /// Tokens: POST makes one, GET lists them; DELETE `/ID` ends one, POST `/ID/rotate` puts another in its place.
  package static let tokens = "/api/v1/tokens"
  /// Accounts: POST makes one, GET lists them; PATCH `/ID` changes one.
  package static let people = "/api/v1/people"
  /// Teams: POST makes one, GET lists them; PATCH and DELETE `/ID`.
  package static let teams = "/api/v1/teams"
  /// Sessions: GET lists them, DELETE `/ID` ends one.
  package static let sessions = "/api/v1/sessions"
  /// The audit log, the oldest entry first.
  package static let audit = "/api/v1/audit"
  /// Alerts: POST makes a rule, GET lists them; PATCH and DELETE `/ID`, POST `/ID/test`, GET `/ID/deliveries`.
  package static let alerts = "/api/v1/alerts"
  /// The data of a user of the apps: GET `/ID/data` exports it, DELETE removes it.
  package static let users = "/api/v1/users"
  /// The rules by which what an app sends is scrubbed before it is stored: GET, PUT.
  package static let scrubbing = "/api/v1/scrubbing"
  /// The builds that symbols are missing of.
  package static let missingSymbols = "/api/v1/missing-symbols"
  /// The quotas of an app, and what is used of them: GET, PUT; of a token `/tokens/ID`.
  package static let quotas = "/api/v1/quotas"
  /// Versions of hotpatches with the devices that ran them.
  package static let patches = "/api/v1/patches"
  /// Rollouts: PUT `/IDENTITY` tells how those of an app stand.
  package static let rollouts = "/api/v1/rollouts"
  /// Changes of rollouts that are asked for: POST asks, GET lists them, PATCH `/ID` says what became of one.
  package static let rolloutRequests = "/api/v1/rollout-requests"
  /// Builds: POST keeps one, GET lists them; GET and DELETE `/ID`, GET `/ID/file`, POST `/ID/links`, DELETE
  /// `/ID/links/LINK`.
  package static let builds = "/api/v1/builds"
  /// The pages that phones install builds from: GET `/SECRET` and what it leads to, without a token.
  package static let install = "/install"
  /// The modules that registries offer.
  package static let modules = "/api/v1/modules"
  /// Apps: `/KEY/modules` the modules that one has chosen (GET, PUT), with `/manifest`, `/lock` and `/archive` to download.
  package static let apps = "/api/v1/apps"
}

/// The header by which a device proves that it is the one that it was (`LogCollector` makes the secret).
package enum DeviceSecret {
  package static let field = "Device-Secret"
  /// Characters of a secret.
  package static let lengths = 32...200
}
