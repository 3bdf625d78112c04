import MPaaSDatabase
import MPaaSFlagTools
import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport
import Synchronization

/// The flags of all apps and environments: what clients are told, and how it is changed.
///
/// A change is made in a transaction before anybody is told of it.
final class FlagBook: Sendable {
  let services: ServerServices
  private let places = Mutex<[FlagPlace.Key: FlagPlace]>([:])
  private let apps = Mutex<[Access.App]>([])

  init(_ services: ServerServices) { self.services = services }

  /// The approvals that a change needs.
  var approvals: Int { services.configuration.approvals }

  /// Reads the environments, and makes the usual one of each app.
  func begin() async throws {
    let known = try await services.access.allApps()
    apps.withLock { $0 = known }
    let stored = try await services.store.read { try FlagStore.environments(in: $0) }
    for environment in stored { try await open(environment) }
    for app in known {
      let key = FlagPlace.Key(app: app.key, environment: FlagEnvironment.usual)
      if stored.contains(where: { $0.key == key }) { continue }
      let fresh = Self.environment(key, at: services.now())
      try await StartStep.unlessFull { try await services.store.write { try FlagStore.put(fresh, in: $0) } }
      // Another server may have been faster.
      let kept = try await services.store.read { try FlagStore.environments(in: $0) }.first { $0.key == key }
      try await open(kept ?? fresh)
    }
  }

  /// Reads what another server has changed, and tells who waits for it.
  func follow() async throws {
    for environment in try await services.store.read({ try FlagStore.environments(in: $0) }) {
      guard let place = places.withLock({ $0[environment.key] }) else {
        try await open(environment)
        continue
      }
      try await place.turns { try await follow(place) }
    }
  }

  /// Reads the newest version of a place where another server may have made one; within a turn.
  func follow(_ place: FlagPlace) async throws {
    guard services.session != nil else { return }
    let (key, before) = (place.key, place.edition)
    let fresh = try await services.store.read { database -> (edition: FlagEdition, version: FlagVersion)? in
      guard let newest = try FlagStore.newest(key, in: database), newest.version > before.version,
        let version = try FlagStore.version(key, newest.version, in: database)
      else { return nil }
      let sources = try FlagStore.sources(key, at: newest.version, in: database)
      let edition = FlagEdition(
        sources, try sources.state(), version: newest.version, updated: newest.time, channel: place.channel)
      return (edition, version)
    }
    guard let (edition, version) = fresh else { return }
    let edits = before.sources.edits(to: edition.sources)
    let told = FlagVersion(
      version: version.version, author: version.author, time: version.time, comment: version.comment,
      rollback: version.rollback, proposal: version.proposal, changes: edits.map(FlagDifference.init))
    place.publish(edition, edits, told)
  }

  private static func environment(_ key: FlagPlace.Key, at now: Double) -> FlagStore.Environment {
    FlagStore.Environment(key: key, channel: Access.randomBytes(16).hexadecimal, created: now)
  }

  /// Reads an environment's newest version.
  private func open(_ environment: FlagStore.Environment) async throws {
    let key = environment.key
    let edition = try await services.store.read { database in
      let newest = try FlagStore.newest(key, in: database)
      let sources = try FlagStore.sources(key, at: newest?.version ?? 0, in: database)
      return FlagEdition(
        sources, try sources.state(), version: newest?.version ?? 0, updated: newest?.time ?? environment.created,
        channel: environment.channel)
    }
    places.withLock { $0[key] = FlagPlace(key, channel: environment.channel, edition) }
  }

  // MARK: - Finding

  /// The place of an app and an environment.
  ///
  /// - Parameter app: A key or a name; nil for the first app.
  /// - Throws: `flags-app-unknown`, `flags-environment-unknown`.
  func place(app: String?, environment: String?) throws -> FlagPlace {
    let key = FlagPlace.Key(app: try appKey(app), environment: environment ?? FlagEnvironment.usual)
    guard let place = places.withLock({ $0[key] }) else {
      throw ServerError(.flagsEnvironmentUnknown, ["environment": key.environment])
    }
    return place
  }

  private func appKey(_ word: String?) throws -> String {
    let found = apps.withLock { apps in
      guard let word else { return apps.first?.key }
      return (apps.first { $0.key == word } ?? apps.first { $0.name == word })?.key
    }
    guard let found else { throw ServerError(.flagsAppUnknown, ["app": word ?? "-"]) }
    return found
  }

  /// The place whose stream of notices a word opens.
  func place(channel: String) -> FlagPlace? {
    places.withLock { $0.values.first { $0.channel == channel } }
  }

  /// The environments of an app by name.
  func environments(app: String?) throws -> [FlagPlace] {
    let app = try appKey(app)
    return places.withLock { $0.values.filter { $0.key.app == app } }
      .sorted { $0.key.environment < $1.key.environment }
  }

  var all: [FlagPlace] { places.withLock { Array($0.values) } }

  /// Environments of an app, whose flags are all in the memory.
  private static let mostEnvironments = 100

  /// Makes an environment, with the flags of another one as its first version.
  ///
  /// - Throws: `flags-environment-exists`, `flags-environment-unknown`, `flags-environments-too-many`,
  ///   `server-bad-request`.
  func make(_ wish: FlagEnvironmentWish, app: String?, by grant: Grant) async throws -> FlagPlace {
    guard (1...100).contains(wish.name.utf8.count), wish.name.utf8.allSatisfy(Self.isOfName) else {
      throw Refusal(.badRequest, ["reason": "name"])
    }
    let key = FlagPlace.Key(app: try appKey(app), environment: wish.name)
    let model = try wish.copy.map { try self.place(app: app, environment: $0).edition.sources } ?? FlagSources()
    let environment = Self.environment(key, at: services.now())
    try await services.store.write { database in
      try FlagStore.put(environment, limit: Self.mostEnvironments, in: database)
      guard database.changes == 1 else { throw ServerError(.flagsEnvironmentExists, ["environment": wish.name]) }
      try SharedEdition.flags.grow(in: database)
    }
    try await open(environment)
    let place = try place(app: app, environment: wish.name)
    if let copy = wish.copy {
      _ = try await place.turns {
        try await publish(model, try model.state(), in: place, Origin(author: grant.name, comment: copy))
      }
    }
    return place
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber)
      || "._-".utf8.contains(byte)
  }

  // MARK: - Changing

  /// The author of a version, and why it was made.
  struct Origin: Sendable {
    var author: String
    var comment: String
    var rollback: Int?
    var proposal: String?
  }

  /// Makes a change at once.
  ///
  /// - Returns: The version that it made; nil where nothing would change.
  /// - Throws: `flags-version-conflict`, `flags-approvals-needed`, `flags-version-unknown`, `FlagError`.
  func change(_ request: FlagChangeRequest, in place: FlagPlace, by grant: Grant) async throws -> FlagVersion? {
    try await place.turns {
      try await follow(place)
      let before = place.edition
      try Self.check(request.base, before)
      let (sources, state) = try await outcome(of: request.content, in: place)
      let edits = before.sources.edits(to: sources)
      if approvals > 0, !edits.allSatisfy(\.isOfKillSwitch) {
        throw ServerError(.flagsApprovalsNeeded, ["approvals": String(approvals)])
      }
      var origin = Origin(author: grant.name, comment: request.comment)
      if case .rollback(let version) = request.content { origin.rollback = version }
      return try await publish(sources, state, in: place, origin)
    }
  }

  static func check(_ base: Int?, _ edition: FlagEdition) throws {
    guard let base, base != edition.version else { return }
    throw ServerError(.flagsVersionConflict, ["base": String(base), "version": String(edition.version)])
  }

  /// The items and the state that a change leads to.
  func outcome(
    of content: FlagChangeRequest.Content, in place: FlagPlace
  ) async throws -> (sources: FlagSources, state: FlagState) {
    let before = place.edition
    switch content {
    case .events(let events):
      return try await services.disk {
        let body = Array("{\"events\":\(events)}".utf8)
        return try body.withUnsafeBytes { try before.sources.applying(events: $0, to: before.state) }
      }
    case .rollback(let version):
      guard version <= before.version else {
        throw ServerError(.flagsVersionUnknown, ["version": String(version)])
      }
      let key = place.key
      return try await services.store.read { database in
        let sources = try FlagStore.sources(key, at: version, in: database)
        return (sources, try sources.state())
      }
    }
  }

  /// Makes the next version within a turn; nil where nothing would change.
  ///
  /// - Parameter more: Done in the same transaction.
  func publish(
    _ sources: FlagSources, _ state: FlagState, in place: FlagPlace, _ origin: Origin,
    _ more: @escaping @Sendable (any SQLDatabase, _ version: Int) throws -> Void = { _, _ in }
  ) async throws -> FlagVersion? {
    let (before, key, now) = (place.edition, place.key, services.now())
    let edits = before.sources.edits(to: sources)
    guard !edits.isEmpty else { return nil }
    let (version, edition) = try await services.disk {
      let version = FlagVersion(
        version: before.version + 1, author: origin.author, time: now, comment: origin.comment,
        rollback: origin.rollback, proposal: origin.proposal, changes: edits.map(FlagDifference.init))
      let edition = FlagEdition(
        sources, state, version: version.version, updated: now, channel: place.channel)
      return (version, edition)
    }
    let environment = FlagStore.Environment(key: key, channel: place.channel, created: now)
    try await services.store.write { database in
      // A start with a full disk could not keep it.
      try FlagStore.put(environment, in: database)
      // Another server may have been faster.
      let newest = try FlagStore.newest(key, in: database)?.version ?? 0
      guard newest < version.version else {
        throw ServerError(.flagsVersionConflict, ["base": String(before.version), "version": String(newest)])
      }
      try FlagStore.insert(version, edits, key, in: database)
      try SharedEdition.flags.grow(in: database)
      try more(database, version.version)
    }
    place.publish(edition, edits, version)
    services.counts.accepted("flag-version")
    return version
  }
}
