import Hummingbird
import MPaaSDatabase
import MPaaSProtocol

/// Lists the builds that symbols are missing of.
struct MissingSymbolRoutes: ServerRoutes {
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get(RouterPath(ConsolePaths.missingSymbols)) { request, context in
      let query = ListQuery(request, context)
      let entries = try await services.store.read {
        try MissingImages.list(app: query.app, limit: query.limit, in: $0)
      }
      return Response.json(["missing": entries])
    }
  }
}
