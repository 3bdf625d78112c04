import Hummingbird
import MPaaSDatabase
import MPaaSSupport

/// Answers how healthy releases are, and frees what is older than it is kept.
struct ReleaseHealthRoutes: ServerRoutes {
  private let services: ServerServices
  private let upkeep = HealthUpkeep()

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get("/api/v1/release-health") { try await health($0, $1) }
  }

  func tidy() async {
    if await services.does(.upkeep) { await upkeep.run(services) }
  }

  private func health(_ request: Request, _ context: ServerContext) async throws -> Response {
    let parameters = request.uri.queryParameters
    let app = context.grant?.app ?? parameters["app"].map(String.init)
    let now = services.now()
    let query = try HealthQuery(app: app, now: now) { name in parameters[Substring(name)].map(String.init) }
    let releases = try await services.store.read { try HealthStore.health(query, at: now, in: $0) }
    return Response.json(["releases": releases], headers: [.cacheControl: "no-store"])
  }
}

/// The upkeep of sessions and counts, now and then.
private final class HealthUpkeep: Sendable {
  private let sessions = PeriodicTurn(every: 60)
  private let counts = PeriodicTurn(every: 3600)
  /// The most steps of one round, so that what is sent goes on meanwhile.
  private static let steps = 20

  func run(_ services: ServerServices) async {
    let now = services.now()
    let due = (sessions: sessions.take(at: now), counts: counts.take(at: now))
    guard due.sessions || due.counts else { return }
    do {
      for app in try await services.store.read({ try HealthRetention.apps(in: $0) }) {
        if due.sessions { try await freeSessions(app, now, services) }
        if due.counts { try await freeCounts(app, now, services) }
      }
    } catch {
      // It is tried again the next time.
    }
  }

  private func freeSessions(_ app: String, _ now: Double, _ services: ServerServices) async throws {
    for _ in 0..<Self.steps {
      let isMore = try await services.store.write { try HealthRetention.freeSessions(app: app, at: now, in: $0) }
      guard isMore else { return }
    }
    // The rest does not wait for a minute.
    sessions.giveBack()
  }

  private func freeCounts(_ app: String, _ now: Double, _ services: ServerServices) async throws {
    try await services.store.write { try HealthRetention.freeDevices(app: app, at: now, in: $0) }
    var release: Int64?
    repeat {
      let before = release
      release = try await services.store.write {
        try HealthRetention.freeCounts(app: app, after: before, at: now, in: $0)
      }
    } while release != nil
  }
}
