import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Builds for callers with tokens: kept, listed, read, removed, and links to install them by.
struct BuildRoutes: ServerRoutes {
  private let services: ServerServices
  private let builds: BuildService

  init(_ services: ServerServices) {
    self.services = services
    builds = BuildService(services)
  }

  func add(to router: Router<ServerContext>) {
    let (all, one) = (RouterPath(ConsolePaths.builds), ConsolePaths.builds + "/:id")
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get(all) { try await list($0, $1) }
    readers.get(RouterPath(one)) { _, context in Response.json(try await builds.build(context)) }
    readers.get(RouterPath(one + "/file")) { try await builds.file($0, $1) }
    let writers = router.group().add(middleware: PermissionMiddleware(.operate, services))
    writers.post(all) { try await keep($0, $1) }
    writers.delete(RouterPath(one)) { _, context in
      try await builds.remove(context)
      return Response(status: .noContent)
    }
    writers.post(RouterPath(one + "/links")) { request, context in
      let wish: BuildLinkWish = try await Wire.read(request, context, services, limit: Wire.few)
      return Response.json(try await builds.link(wish, request, context), status: .created)
    }
    writers.delete(RouterPath(one + "/links/:link")) { _, context in
      try await builds.revoke(context.parameters.get("link") ?? "", context)
      return Response(status: .noContent)
    }
  }

  func tidy() async {
    guard await services.does(.upkeep) else { return }
    let end = services.now() - BuildService.memory
    guard (try? await services.store.read({ try BuildStore.hasLinks(before: end, in: $0) })) ?? false else { return }
    try? await services.store.write { try BuildStore.forgetLinks(before: end, in: $0) }
  }

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let query = ListQuery(request, context)
    var app = query.app
    if let word = request.uri.queryParameters["app"] { app = try await builds.app(String(word), context) }
    let found = try await services.store.read { [app] in
      try BuildStore.builds(app: app, before: query.beforeTime, limit: query.limit, in: $0)
    }
    return Response.json(BuildPage(builds: found))
  }

  private func keep(_ request: Request, _ context: ServerContext) async throws -> Response {
    let parameters = request.uri.queryParameters
    let app = try await builds.app(parameters["app"].map(String.init), context)
    let filename = UploadHeaders.filename(request.headers[.contentDisposition])
    let kept = try await BuildIntake(services).take(request, context, app: app, filename: filename)
    return Response.json(kept.build, status: kept.isKnown ? .ok : .created)
  }
}
