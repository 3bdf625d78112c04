import Hummingbird

extension RouteList {
  /// A route as the router knows it.
  struct Entry: Hashable, Sendable {
    var method: String
    var path: String
  }

  /// All routes, by their paths and methods.
  static func table(_ services: ServerServices) -> [Entry] {
    open(services).router.routes.map { Entry(method: $0.method.rawValue, path: "\($0.path)") }
      .sorted { ($0.path, $0.method) < ($1.path, $1.method) }
  }
}
