package import Hummingbird
import MPaaSProtocol

/// A part of the server: its routes, and what it does when an upload is published.
package protocol ServerRoutes: Sendable {
  init(_ services: ServerServices)

  /// Adds its routes.
  func add(to router: Router<ServerContext>)

  /// Does what it has to do before requests come, and from time to time later.
  func begin() async throws
  func tidy() async

  /// What it does in the transaction in which an upload becomes whole; nil for nothing.
  static func publication(_ services: ServerServices) -> ServerServices.Publication?
}

extension ServerRoutes {
  package func begin() async throws {}
  package func tidy() async {}
  package static func publication(_ services: ServerServices) -> ServerServices.Publication? { nil }
}

/// All routes, one a line.
package enum RouteList {
  package static let all: [any ServerRoutes.Type] = [
    HealthRoutes.self,
    UploadRoutes.self,
    CrashRoutes.self,
    RecordRoutes.self,
    AliveRoutes.self,
    TaskRoutes.self,
    StatisticsRoutes.self,
    PageRoutes.self,
  ]

  /// The routes and the router that leads to them.
  package static func open(_ services: ServerServices) -> (routes: [any ServerRoutes], router: Router<ServerContext>) {
    var services = services
    services.publications = all.compactMap { $0.publication(services) }
    let router = Router(context: ServerContext.self)
    router.add(middleware: RefusalMiddleware(services))
    let routes = all.map { $0.init(services) }
    for group in routes { group.add(to: router) }
    return (routes, router)
  }
}

/// Says that the server answers, and whether it takes what is sent; without a token.
struct HealthRoutes: ServerRoutes {
  static let live = ["/health", "/livez"]
  static let type = "application/json"
  static let isWell = Array(#"{"status":"ok"}"#.utf8)
  private static let ready = "/readyz"
  static let paths = live + [ready]
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    for path in Self.live { router.get(RouterPath(path)) { _, _ in Response.bytes(Self.isWell, Self.type) } }
    router.get(RouterPath(Self.ready)) { _, _ in
      guard services.reserve.hasRoom else { throw Refusal(.full, status: .serviceUnavailable) }
      guard services.store.backlog < services.limits.waiting else { throw Refusal(.busy, status: .serviceUnavailable) }
      return Response.bytes(Self.isWell, Self.type)
    }
  }
}
