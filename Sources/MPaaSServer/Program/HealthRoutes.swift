import Hummingbird
import MPaaSProtocol

/// Says that the server answers, and whether it takes what is sent; without a token.
struct HealthRoutes: ServerRoutes {
  static let live = ["/health", "/livez"]
  static let type = "application/json"
  static let isWell = Array(#"{"status":"ok"}"#.utf8)
  private static let ready = "/readyz"
  static let paths = live + [ready]
  private let readiness: Readiness

  init(_ services: ServerServices) { readiness = Readiness(services) }

  func add(to router: Router<ServerContext>) {
    for path in Self.live { router.get(RouterPath(path)) { _, _ in Response.bytes(Self.isWell, Self.type) } }
    router.get(RouterPath(Self.ready)) { _, _ in
      let checks = await readiness.look()
      if let refusal = checks.refusal { throw refusal }
      return Response.json(checks)
    }
  }
}
