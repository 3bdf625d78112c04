import MPaaSDatabase
import MPaaSDigests
import Synchronization

/// The memory of what issues have in the database already, so that most events write nothing of it again.
final class IssueMemory: Sendable {
  /// A group by the name that its app's events have for it.
  struct GroupName: Hashable, Comparable, Sendable {
    let app: String
    let name: String

    static func < (left: Self, right: Self) -> Bool { (left.app, left.name) < (right.app, right.name) }
  }

  private struct State {
    /// Digests of values and users that are in the database; those of the time before stay until these are many.
    var known: Set<Int> = []
    var older: Set<Int> = []
    /// The ids of groups that are in the database.
    var groups: [GroupName: Int64] = [:]
    /// Grows when rows are removed.
    var epoch = 0
    /// The number of the changes by all servers that were followed.
    var followed: Int64?
    var secrets: [String: [UInt8]] = [:]
  }

  /// Digests of each of two generations.
  private static let most = 200_000
  private static let mostGroups = 50_000
  private let state = Mutex(State())
  private let isShared: Bool

  /// - Parameter isShared: Tells whether other servers may remove what is remembered here.
  init(isShared: Bool = false) { self.isShared = isShared }

  /// Forgets all where a server has removed rows since it was remembered; within the transaction that goes by it.
  func follow(in database: any SQLDatabase) throws(SQLError) {
    guard isShared else { return }
    let number = try SharedEdition.issues.number(in: database)
    let isNew = state.withLock { state in
      defer { state.followed = number }
      return state.followed != number
    }
    if isNew { forget() }
  }

  /// The facts that were noted within a transaction; it counts once that is on the disk.
  struct Fresh: Sendable, Equatable {
    var epoch: Int
    var digests: [Int]
    /// The group of the event and its id, where that was not remembered.
    var group: GroupName?
    var id: Int64 = 0
  }

  /// The ids of those groups that are remembered.
  func ids(of groups: [GroupName]) -> [GroupName: Int64] {
    state.withLock { state in
      Dictionary(groups.compactMap { name in state.groups[name].map { (name, $0) } }) { $1 }
    }
  }

  /// The places of those digests that are not known, and the epoch.
  func unknown(_ digests: [Int]) -> (places: [Int], epoch: Int) {
    state.withLock { state in
      let places = digests.indices.filter { index in
        if state.known.contains(digests[index]) { return false }
        guard state.older.contains(digests[index]) else { return true }
        state.known.insert(digests[index])
        return false
      }
      return (places, state.epoch)
    }
  }

  /// Remembers what is in the database now.
  func learn(_ fresh: Fresh) {
    guard !fresh.digests.isEmpty || fresh.group != nil else { return }
    state.withLock { state in
      guard state.epoch == fresh.epoch else { return }
      if let group = fresh.group {
        if state.groups.count >= Self.mostGroups { state.groups = [:] }
        state.groups[group] = fresh.id
      }
      if state.known.count + fresh.digests.count > Self.most {
        state.older = state.known
        state.known = []
      }
      state.known.formUnion(fresh.digests)
    }
  }

  /// Forgets all, where rows are removed.
  func forget() {
    state.withLock { state in
      state.epoch += 1
      state.known = []
      state.older = []
      state.groups = [:]
    }
  }

  /// Makes the secrets of apps that have none, and remembers all; to be called where nothing else writes.
  func begin(_ apps: [String], _ store: ServerStore) async throws {
    let secrets = try await store.write { database in
      for app in apps {
        try database.run(
          "INSERT INTO issue_apps (app, secret, users) VALUES (?, ?, 0) ON CONFLICT (app) DO NOTHING",
          [.text(app), .blob(Access.randomBytes(32))])
      }
      return try database.rows("SELECT app, secret FROM issue_apps") { ($0.text(0), $0.blob(1)) }
    }
    state.withLock { state in for (app, secret) in secrets { state.secrets[app] = secret } }
  }

  /// The digest of a user by the secret of the app, which is made where there is none.
  func digest(ofUser user: String, app: String, in database: any SQLDatabase) throws -> Int64 {
    if let secret = state.withLock({ $0.secrets[app] }) { return Self.digest(user, secret) }
    if let digest = try Self.digest(ofUser: user, app: app, reading: database) { return digest }
    // Not remembered: the transaction could still be taken back.
    let secret = Access.randomBytes(32)
    try database.run("INSERT INTO issue_apps (app, secret, users) VALUES (?, ?, 0)", [.text(app), .blob(secret)])
    return Self.digest(user, secret)
  }

  /// The digest of a user by a secret that is there; nil where the app has none.
  static func digest(ofUser user: String, app: String, reading database: any SQLDatabase) throws -> Int64? {
    let secret = try database.row("SELECT secret FROM issue_apps WHERE app = ?", [.text(app)]) { $0.blob(0) }
    return secret.map { digest(user, $0) }
  }

  private static func digest(_ user: String, _ secret: [UInt8]) -> Int64 {
    let code = HMAC(.sha256, key: secret)?.code(of: Array(user.utf8)) ?? []
    return code.prefix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
  }
}
