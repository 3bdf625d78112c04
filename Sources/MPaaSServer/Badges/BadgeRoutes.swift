import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import Synchronization

/// Badges: apps ask for a user's, in full or since a version, and acknowledge taps; operators push, list and clear.
struct BadgeRoutes: ServerRoutes {
  private let services: ServerServices
  /// Seconds that a badge which was taken away is remembered.
  private static let memory = 30.0 * 86_400
  /// Taps that came since the oldest were last looked for.
  private let newTaps = TapCount()

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    router.get(RouterPath(ServerPaths.badges)) { try await read($0, $1) }
    router.post(RouterPath(ServerPaths.badges + "/ack")) { try await acknowledge($0, $1) }
    let targets = RouterPath(ServerPaths.badgeTargets)
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get(targets) { try await list($0, $1) }
    let operators = router.group().add(middleware: PermissionMiddleware(.operate, services))
    operators.post(targets) { try await push($0, $1) }
    operators.delete(targets) { try await clear($0, $1) }
  }

  func tidy() async {
    let time = services.now() - Self.memory
    if await services.does(.upkeep) {
      _ = try? await services.store.write { try BadgeStore.forget(before: time, in: $0) }
    }
    guard newTaps.isDue else { return }
    do {
      try await services.store.write { try BadgeStore.forgetTaps(most: BadgeRules.mostTaps, in: $0) }
      newTaps.reset()
    } catch {
      // It is tried again the next time.
    }
  }

  // MARK: - Apps

  private func read(_ request: Request, _ context: ServerContext) async throws -> Response {
    let sender = try await Sender(request, context, services)
    let parameters = request.uri.queryParameters
    let segments = (parameters["segments"] ?? "").split(separator: ",").map(String.init)
    guard let user = parameters["user"].map(String.init), BadgeRules.isName(user),
      segments.count <= BadgeRules.mostSegments, segments.allSatisfy(BadgeRules.isName)
    else { throw Refusal(.badRequest, ["reason": "user, segments"]) }
    let (reader, since) = (BadgeReader(user: user, segments: segments), parameters["since"].map(String.init))
    let update = try await services.store.read {
      try BadgeStore.update(app: sender.app, reader, since: since, in: $0)
    }
    return Response.json(update, headers: [.cacheControl: "no-store"])
  }

  private func acknowledge(_ request: Request, _ context: ServerContext) async throws -> Response {
    let sender = try await Sender(request, context, services)
    let taps: BadgeAcknowledgement = try await Wire.read(
      request, context, services, limit: BadgeRules.largestTaps)
    guard BadgeRules.isName(taps.user), taps.widgets.count <= BadgeRules.mostWidgets else {
      throw Refusal(.badRequest, ["reason": "user, widgets"])
    }
    let seen = taps.version.flatMap { Int64($0.prefix { $0 != "." }) }
    let count = try await services.store.write {
      try BadgeStore.acknowledge(app: sender.app, user: taps.user, widgets: taps.widgets, seen: seen, in: $0)
    }
    newTaps.add(count)
    services.counts.accepted("badge-tap")
    return Response.json(["count": count])
  }

  // MARK: - Operators

  private func push(_ request: Request, _ context: ServerContext) async throws -> Response {
    let push = try BadgeRules.checked(try await Wire.read(request, context, services))
    let (app, now) = (try await app(push.app, context), services.now())
    let change = try await services.store.write { try BadgeStore.push(push, app: app, at: now, in: $0) }
    services.counts.accepted("badge-push")
    return Response.json(change, status: .created)
  }

  private func clear(_ request: Request, _ context: ServerContext) async throws -> Response {
    let parameters = request.uri.queryParameters
    let (app, target, now) = (
      try await app(parameters["app"].map(String.init), context), try Self.target(request), services.now()
    )
    let path = parameters["path"].map { BadgeRules.normal(String($0)) }.flatMap { $0.isEmpty ? nil : $0 }
    // A word that is left out by mistake must not clear everything.
    guard target != nil || path != nil else { throw Refusal(.badRequest, ["reason": "target, path"]) }
    let change = try await services.store.write {
      try BadgeStore.clear(app: app, target: target, path: path, at: now, in: $0)
    }
    return Response.json(change)
  }

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let query = ListQuery(request, context)
    let filter = BadgeStore.Filter(
      app: query.app, target: try Self.target(request), before: query.beforeID, limit: query.limit)
    let entries = try await services.store.read { try BadgeStore.entries(filter, in: $0) }
    return Response.json(BadgePage(badges: entries))
  }

  /// The target that a request's address names: `user`, `segment`, or `all=1`; nil for none.
  private static func target(_ request: Request) throws -> BadgeTarget? {
    let parameters = request.uri.queryParameters
    let named = [
      parameters["user"].map { BadgeTarget.user(String($0)) },
      parameters["segment"].map { BadgeTarget.segment(String($0)) },
      parameters["all"] == "1" ? BadgeTarget.all : nil,
    ].compactMap { $0 }
    guard named.count <= 1, named.allSatisfy(BadgeRules.isGood) else {
      throw Refusal(.badRequest, ["reason": "user, segment, all"])
    }
    return named.first
  }

  /// The key of the app that a request is about: the token's, or the one named, or the server's first.
  private func app(_ named: String?, _ context: ServerContext) async throws -> String {
    let all = try await services.access.allApps()
    let word = context.grant?.app ?? named
    let found = word.map { word in all.first { $0.key == word || $0.name == word } } ?? all.first
    guard let found else { throw Refusal(.badRequest, ["reason": "app"]) }
    return found.key
  }
}

/// The number of taps since the oldest were forgotten, which is not looked for after each.
private final class TapCount: Sendable {
  private static let most = 10_000
  /// At a start it is looked for, too.
  private let count = Atomic<Int>(most)

  var isDue: Bool { count.load(ordering: .relaxed) >= Self.most }
  func add(_ taps: Int) { count.wrappingAdd(taps, ordering: .relaxed) }
  func reset() { count.store(0, ordering: .relaxed) }
}
