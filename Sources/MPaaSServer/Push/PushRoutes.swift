import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Tokens for notifications: apps tell and remove theirs, operators list them, senders report which have ended.
struct PushRoutes: ServerRoutes {
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let installations = RouterPath(ServerPaths.pushInstallations)
    router.post(installations) { try await take($0, $1) }
    router.delete(RouterPath(ServerPaths.pushInstallations + "/:id")) { try await remove($0, $1) }
    router.group().add(middleware: PermissionMiddleware(.read, services))
      .get(installations) { request, context in
        let filter = try Self.filter(request, context)
        let page = try await services.store.read { try PushStore.page(filter, in: $0) }
        return Response.json(page, headers: [.cacheControl: "no-store"])
      }
    router.group().add(middleware: PermissionMiddleware(.operate, services))
      .post(RouterPath(ServerPaths.pushOutcomes)) { try await end($0, $1) }
  }

  // MARK: - Apps

  private func take(_ request: Request, _ context: ServerContext) async throws -> Response {
    let sender = try await Sender(request, context, services)
    let told: PushInstallation = try await Wire.read(request, context, services)
    let (report, now) = (try PushRules.checked(told), services.now())
    let removed = try await services.store.write {
      try PushStore.take(report, app: sender.app, at: now, in: $0)
    }
    services.counts.accepted("push-installation")
    return Response.json(PushRegistration(installation: report.installation, removed: removed))
  }

  private func remove(_ request: Request, _ context: ServerContext) async throws -> Response {
    let sender = try await Sender(request, context, services)
    guard let id = context.parameters.get("id"), PushRules.isName(id) else {
      throw Refusal(.badRequest, ["reason": "installation"])
    }
    let removed = try await services.store.write { try PushStore.remove(id, app: sender.app, in: $0) }
    return Response.json(PushRegistration(installation: id, removed: removed))
  }

  // MARK: - Operators

  private func end(_ request: Request, _ context: ServerContext) async throws -> Response {
    let told: PushRefusals = try await Wire.read(request, context, services)
    let (refusals, app) = (try PushRules.checked(told), context.grant?.app)
    let ended = try await services.store.write { try PushStore.end(refusals, app: app, in: $0) }
    services.counts.add("ended.push-token", Int64(ended.count))
    return Response.json(PushEndings(ended: ended))
  }

  /// The conditions that a request's address names; empty ones are none.
  private static func filter(_ request: Request, _ context: ServerContext) throws -> PushStore.Filter {
    let query = ListQuery(request, context)
    let parameters = request.uri.queryParameters
    func word(_ name: String) -> String? { parameters[name[...]].flatMap { $0.isEmpty ? nil : String($0) } }
    let (environment, cursor) = (word("environment"), word("cursor"))
    var filter = PushStore.Filter(
      app: query.app, user: word("user"), tag: word("tag"), topic: word("topic"), limit: query.limit)
    filter.environment = environment.flatMap(PushEnvironment.init(rawValue:))
    filter.before = cursor.flatMap { Int64($0) }
    // A word that is not understood must not widen the choice of receivers.
    guard (environment == nil) == (filter.environment == nil) else {
      throw Refusal(.badRequest, ["reason": "environment"])
    }
    guard (cursor == nil) == (filter.before == nil) else { throw Refusal(.badRequest, ["reason": "cursor"]) }
    return filter
  }
}
