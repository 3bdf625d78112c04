import MPaaSDigests
import MPaaSSQLite
import MPaaSSupport
import Synchronization

/// The permissions: tokens, of which only the hash is stored, and app keys.
package final class Access: Sendable {
  /// An app that may send crashes.
  package struct App: Sendable, Equatable {
    package let key: String
    package let name: String
  }

  /// Tokens that were asked for lately, by their hash; an expired one does no harm.
  private let known = Mutex<[[UInt8]: Grant]>([:])
  private let apps = Mutex<[String: App]>([:])
  private let store: ServerStore
  private let now: @Sendable () -> Double

  package init(_ store: ServerStore, now: @escaping @Sendable () -> Double) {
    self.store = store
    self.now = now
  }

  /// Reads the app keys, makes the first one, and forgets tokens that have expired.
  package func begin() async throws {
    let fresh = App(key: Self.randomBytes(16).hexadecimal, name: "default")
    let moment = now()
    try await StartStep.unlessFull { try await tidy(fresh, moment) }
    for app in try await allApps() { apps.withLock { $0[app.key] = app } }
  }

  private func tidy(_ fresh: App, _ moment: Double) async throws {
    try await store.write { database in
      try database.run("DELETE FROM tokens WHERE expires <= ?", [.real(moment)])
      let none = try database.row("SELECT 1 FROM apps") { _ in true } == nil
      if none {
        try database.run("INSERT INTO apps VALUES (?, ?, ?)", [.text(fresh.key), .text(fresh.name), .real(moment)])
      }
    }
  }

  /// The app of a key, which Sentry's SDKs send as `sentry_key`; nil where there is none.
  package func app(forKey key: String) -> App? { apps.withLock { $0[key] } }

  /// All apps; the first is the one that the data folder began with.
  package func allApps() async throws -> [App] {
    try await store.read { database in
      try database.rows("SELECT key, name FROM apps ORDER BY created, key") { App(key: $0.text(0), name: $0.text(1)) }
    }
  }

  /// Makes a token, which is told this once.
  ///
  /// - Parameters:
  ///   - app: The key of the app that it is limited to.
  ///   - lifetime: Seconds.
  ///   - mayStayInMemory: Whether it is made too where the disk is full; then it ends with the process.
  package func issue(
    _ name: String, _ scopes: Set<Scope>, app: String? = nil, lifetime: Double, mayStayInMemory: Bool = false
  ) async throws -> (token: String, grant: Grant) {
    let token = "mpt_" + Self.randomBytes(24).hexadecimal
    let moment = now()
    let grant = Grant(
      id: Self.randomBytes(6).hexadecimal, name: name, scopes: scopes, app: app, created: moment,
      expires: moment + lifetime)
    do {
      try await insert(grant, Self.hash(token))
    } catch  where mayStayInMemory && Refusal(any: error)?.error.code == .full {
      known.withLock { $0[Self.hash(token)] = grant }
    }
    return (token, grant)
  }

  private func insert(_ grant: Grant, _ hash: [UInt8]) async throws {
    try await store.write { database in
      try database.run(
        "INSERT INTO tokens (hash, id, name, scopes, app, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          .blob(hash), .text(grant.id), .text(grant.name),
          .text(grant.scopes.map(\.rawValue).sorted().joined(separator: " ")), .optional(grant.app),
          .real(grant.created), .real(grant.expires),
        ])
    }
  }

  /// The grant of a token that is the key of an app, or was asked for lately; nil for all others.
  package func knownGrant(for token: String) -> Grant? {
    if let app = app(forKey: token) { return Grant(sendingFor: app) }
    guard let grant = known.withLock({ $0[Self.hash(token)] }), grant.expires > now() else { return nil }
    return grant
  }

  /// The grant of a token now; nil for one that is unknown or has expired.
  ///
  /// The key of an app, which devices have, permits to send for that app, and does not expire.
  package func grant(for token: String) async throws -> Grant? {
    if let app = app(forKey: token) { return Grant(sendingFor: app) }
    let hash = Self.hash(token)
    if let grant = known.withLock({ $0[hash] }) { return grant.expires > now() ? grant : nil }
    let found = try await store.read { database in
      try database.row("\(Self.columns) WHERE hash = ?", [.blob(hash)], Self.grant)
    }
    guard let found, found.expires > now() else { return nil }
    known.withLock { known in
      if known.count >= 10_000 { known.removeAll() }
      known[hash] = found
    }
    return found
  }

  /// All tokens, the newest first.
  package func grants() async throws -> [Grant] {
    try await store.read { try $0.rows("\(Self.columns) ORDER BY created DESC, id", [], Self.grant) }
  }

  /// Ends a token; says whether there was one.
  package func revoke(_ id: String) async throws -> Bool {
    let ended = try await store.write { database in
      try database.run("DELETE FROM tokens WHERE id = ?", [.text(id)])
      return database.changes > 0
    }
    known.withLock { known in known = known.filter { $0.value.id != id } }
    return ended
  }

  private static let columns = "SELECT id, name, scopes, app, created, expires FROM tokens"

  private static func grant(_ row: SQLiteRow) -> Grant {
    Grant(
      id: row.text(0), name: row.text(1),
      scopes: Set(row.text(2).split(separator: " ").compactMap { Scope(rawValue: String($0)) }),
      app: row.optionalText(3), created: row.real(4), expires: row.real(5))
  }

  private static func hash(_ token: String) -> [UInt8] { token.utf8.sha256 }

  package static func randomBytes(_ count: Int) -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }
}

extension Grant {
  /// Makes the grant of an app's key.
  fileprivate init(sendingFor app: Access.App) {
    self.init(id: app.key, name: app.name, scopes: [.ingest], app: app.key, created: 0, expires: .infinity)
  }
}
