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
  /// To answer feedback, to push badges, to report outcomes of notifications, and to keep builds.
  case operate
  /// Everything but `own`.
  case admin
  /// To make owners, and to take that from them.
  case own
}

/// A set of permissions by the name of who has it.
package enum Role: String, Sendable, CaseIterable, Codable {
  case owner
  case admin
  /// Works with what comes in: issues, logs, flags, feedback.
  case member
  case reader
  /// Sends.
  case ingest

  /// The roles that people may have, those that may most first.
  static let ofPeople: [Role] = [.owner, .admin, .member, .reader]
  /// Those of them that a team may give: an owner is one of all apps.
  static let ofMembers: [Role] = [.admin, .member, .reader]

  package var scopes: Set<Scope> {
    switch self {
    case .owner: [.admin, .own]
    case .admin: [.admin]
    case .member: [.read, .collect, .operate, .flags]
    case .reader: [.read]
    case .ingest: [.ingest]
    }
  }
}

/// The permissions of a caller.
package struct Grant: Sendable, Equatable {
  /// Names the token without being it.
  package let id: String
  package let name: String
  package let scopes: Set<Scope>
  /// The key of the app that the token is limited to; of one for several, the app that a request is about.
  package let app: String?
  /// Seconds since 1970.
  package let created: Double
  package let expires: Double
  /// The permissions of one that has them for several apps, or others for some; empty where `scopes` is all.
  var rights: [Right] = []
  /// The account of a person who logged in.
  var person: String?

  /// Permissions for some apps.
  struct Right: Sendable, Equatable {
    /// nil is for all.
    var apps: Set<String>?
    var scopes: Set<Scope>
  }

  package func permits(_ scope: Scope) -> Bool {
    scopes.contains(scope) || (scope != .own && scopes.contains(.admin))
  }
}

extension Grant {
  /// The keys of the apps that it is for; nil for all.
  var apps: Set<String>? {
    guard !rights.isEmpty else { return app.map { [$0] } }
    return rights.contains { $0.apps == nil } ? nil : Set(rights.flatMap { $0.apps ?? [] })
  }

  /// Tells whether it may manage what belongs to no app alone: people, teams, sessions.
  var managesAll: Bool {
    guard !rights.isEmpty else { return app == nil && permits(.admin) }
    return rights.contains { $0.apps == nil && $0.scopes.contains(.admin) }
  }

  /// The permissions for one app, or without one for all that it is for.
  ///
  /// - Parameter app: nil for the usual: all apps where it is for all, else the first by name.
  /// - Returns: nil where it is not for the app.
  func narrowed(to asked: String?) -> Grant? {
    guard !rights.isEmpty else { return asked == nil || app == nil || asked == app ? self : nil }
    let chosen = asked ?? apps?.min()
    let valid = rights.filter { right in chosen.map { right.apps?.contains($0) ?? true } ?? (right.apps == nil) }
    guard !valid.isEmpty else { return nil }
    var narrow = Grant(
      id: id, name: name, scopes: valid.reduce(into: []) { $0.formUnion($1.scopes) },
      app: apps == nil && asked == nil ? nil : chosen, created: created, expires: expires)
    (narrow.rights, narrow.person) = (rights, person)
    return narrow
  }

  /// Tells whether it may give these permissions for these apps away; nil is for all apps.
  func mayGive(_ wanted: Set<Scope>, for wantedApps: [String]?) -> Bool {
    guard wanted.allSatisfy(permits) else { return false }
    guard let mine = app.map({ [$0] }) else { return true }
    return wantedApps.map { Set($0).isSubset(of: mine) } ?? false
  }
}
