import MPaaSDatabase
import MPaaSDigests
import MPaaSSupport
import Synchronization

/// The permissions: tokens and sessions, of which only the hashes are stored, and app keys.
package final class Access: Sendable {
  /// An app that may send crashes.
  package struct App: Sendable, Equatable {
    package let key: String
    package let name: String
  }

  /// A grant as the database had it a moment ago.
  private struct Known {
    let grant: Grant
    /// Seconds of the clock that never jumps; nil for one that is nowhere else.
    let checked: Double?
  }

  /// The seconds after which a token is looked up again: it may have been revoked through another server.
  static let freshness = 0.5

  /// Tokens that were asked for lately, by their hash; an expired one does no harm.
  private let known = Mutex<[[UInt8]: Known]>([:])
  private let apps = Mutex<[String: App]>([:])
  private let store: ServerStore
  private let now: @Sendable () -> Double
  private let uptime: @Sendable () -> Double

  package init(
    _ store: ServerStore, now: @escaping @Sendable () -> Double, uptime: @escaping @Sendable () -> Double
  ) {
    self.store = store
    self.now = now
    self.uptime = uptime
  }

  /// Reads the app keys, makes the first one, and forgets tokens and sessions that have expired.
  package func begin() async throws {
    let fresh = App(key: Self.randomBytes(16).hexadecimal, name: "default")
    let moment = now()
    try await StartStep.unlessFull { try await tidy(fresh, moment) }
    for app in try await allApps() { apps.withLock { $0[app.key] = app } }
  }

  private func tidy(_ fresh: App, _ moment: Double) async throws {
    try await store.write { database in
      try database.run("DELETE FROM tokens WHERE expires <= ?", [.real(moment)])
      try Sessions.forget(at: moment, in: database)
      let none = try database.row("SELECT 1 FROM apps") { _ in true } == nil
      if none {
        try database.run("INSERT INTO apps VALUES (?, ?, ?)", [.text(fresh.key), .text(fresh.name), .real(moment)])
      }
    }
  }

  /// The app of a key, which Sentry's SDKs send as `sentry_key`; nil where there is none.
  package func app(forKey key: String) -> App? { apps.withLock { $0[key] } }

  /// The app of a key or of a name; nil where there is none.
  func app(named word: String) -> App? {
    apps.withLock { apps in apps[word] ?? apps.values.filter { $0.name == word }.min { $0.key < $1.key } }
  }

  /// All apps; the first is the one that the data folder began with.
  package func allApps() async throws -> [App] {
    try await store.read { database in
      try database.rows("SELECT key, name FROM apps ORDER BY created, key") { App(key: $0.text(0), name: $0.text(1)) }
    }
  }

  /// Tells whether the console begins for the first time, and notes that it has begun.
  func isFirstStart() async throws -> Bool {
    let moment = now()
    let sql = "SELECT 1 FROM console_starts LIMIT 1"
    if try await store.read({ try $0.row(sql) { _ in true } }) == true { return false }
    try await StartStep.unlessFull {
      try await store.write { try $0.run("INSERT INTO console_starts (time) VALUES (?)", [.real(moment)]) }
    }
    return true
  }

  /// Makes a token, which is told this once.
  ///
  /// - Parameters:
  ///   - app: The key of the app that it is limited to.
  ///   - apps: The keys of several.
  ///   - author: The name of who makes it.
  ///   - lifetime: Seconds.
  ///   - mayStayInMemory: Whether it is made too where the disk is full; then it ends with the process.
  package func issue(
    _ name: String, _ scopes: Set<Scope>, app: String? = nil, apps: [String] = [], author: String = "",
    lifetime: Double, mayStayInMemory: Bool = false
  ) async throws -> (token: String, grant: Grant) {
    let token = TokenRow.fresh()
    let moment = now()
    var grant = Grant(
      id: Self.randomBytes(6).hexadecimal, name: name, scopes: scopes, app: app ?? apps.min(), created: moment,
      expires: moment + lifetime)
    if apps.count > 1 { grant.rights = [Grant.Right(apps: Set(apps), scopes: scopes)] }
    let made = grant
    do {
      try await store.write { try TokenRow.insert(made, TokenRow.hash(token), author: author, in: $0) }
    } catch  where mayStayInMemory && Refusal(any: error)?.error.code == .full {
      known.withLock { $0[TokenRow.hash(token)] = Known(grant: made, checked: nil) }
    }
    return (token, made)
  }

  /// Tells whether a token is the key of an app, or was good when it was asked for lately.
  func wasKnown(_ token: String) -> Bool {
    app(forKey: token) != nil || known.withLock { $0[TokenRow.hash(token)] != nil }
  }

  /// The grant of a token that is the key of an app, or was looked up a moment ago; nil for all others.
  package func knownGrant(for token: String) -> Grant? {
    if let app = app(forKey: token) { return Grant(sendingFor: app) }
    let (moment, uptime) = (now(), uptime())
    guard let known = known.withLock({ $0[TokenRow.hash(token)] }), known.grant.expires > moment else { return nil }
    return known.checked.map { uptime - $0 < Self.freshness } ?? true ? known.grant : nil
  }

  /// The grant of a token or a session now; nil for one that is unknown, was ended or has expired.
  ///
  /// The key of an app, which devices have, permits to send for that app, and does not expire.
  package func grant(for token: String) async throws -> Grant? {
    if let grant = knownGrant(for: token) { return grant }
    let (hash, moment, checked) = (TokenRow.hash(token), now(), uptime())
    let isSession = token.hasPrefix(Sessions.prefix)
    let found = try await store.read { database in
      isSession ? try Sessions.grant(hash, at: moment, in: database) : try TokenRow.grant(hash, in: database)
    }
    guard let found, found.expires > moment else {
      known.withLock { $0[hash] = nil }
      return nil
    }
    known.withLock { known in
      if known.count >= 10_000 { known = known.filter { $0.value.checked == nil } }
      known[hash] = Known(grant: found, checked: checked)
    }
    if isSession { await touch(hash, at: moment) }
    return found
  }

  /// Notes that a session was used, from time to time.
  private func touch(_ hash: [UInt8], at moment: Double) async {
    let isOld = try? await store.read { try Sessions.isToTouch(hash, at: moment, in: $0) }
    if isOld == true { try? await store.write { try Sessions.touch(hash, at: moment, in: $0) } }
  }

  /// All tokens, the newest first.
  package func grants() async throws -> [Grant] { try await store.read { try TokenRow.all(in: $0) } }

  /// Ends a token; says whether there was one.
  package func revoke(_ id: String) async throws -> Bool {
    let ended = try await store.write { try TokenRow.remove(id, in: $0) }
    forget { $0.id == id }
    return ended
  }

  /// Forgets what was looked up, so that a change is seen at once.
  func forget(_ isGone: (Grant) -> Bool) {
    known.withLock { known in known = known.filter { !isGone($0.value.grant) } }
  }

  package static func randomBytes(_ count: Int) -> [UInt8] {
    // The system is asked for eight bytes at a time.
    var random = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
      withUnsafeBytes(of: random.next()) { bytes += $0.prefix(count - bytes.count) }
    }
    return bytes
  }
}

extension Grant {
  /// Makes the grant of an app's key.
  fileprivate init(sendingFor app: Access.App) {
    self.init(id: app.key, name: app.name, scopes: [.ingest], app: app.key, created: 0, expires: .infinity)
  }
}
