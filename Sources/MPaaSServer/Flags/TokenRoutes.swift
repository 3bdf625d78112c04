import Hummingbird
import MPaaSProtocol

/// Makes tokens, so that people who approve one another's changes have one each.
struct TokenRoutes: Sendable {
  private static let lifetime = 30.0 * 86_400
  private static let longest = 10.0 * 365 * 86_400

  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let admins = router.group().add(middleware: PermissionMiddleware(.admin, services))
    admins.post(RouterPath(FlagPaths.tokens)) { request, context in
      let wish: TokenWish = try await Wire.read(request, context, services)
      let app = try await app(wish.app, maker: context.grant?.app)
      return Response.json(try await make(wish, app: app), status: .created)
    }
  }

  /// The key of the app that a token is to be limited to; nil for none.
  ///
  /// - Throws: `server-bad-request` where there is no such app, or the maker's token is for another one.
  private func app(_ named: String?, maker: String?) async throws -> String? {
    guard let named else { return maker }
    let found = try await services.access.allApps().first { $0.key == named || $0.name == named }
    guard let found, (maker ?? found.key) == found.key else { throw Refusal(.badRequest, ["reason": "app"]) }
    return found.key
  }

  private func make(_ wish: TokenWish, app: String?) async throws -> TokenMade {
    let scopes = wish.scopes.compactMap(Scope.init(rawValue:))
    guard !scopes.isEmpty, scopes.count == wish.scopes.count else { throw Refusal(.badRequest, ["reason": "scopes"]) }
    guard (1...200).contains(wish.name.utf8.count) else { throw Refusal(.badRequest, ["reason": "name"]) }
    let lifetime = wish.lifetime ?? Self.lifetime
    guard lifetime > 0, lifetime <= Self.longest else { throw Refusal(.badRequest, ["reason": "lifetime"]) }
    let made = try await services.access.issue(wish.name, Set(scopes), app: app, lifetime: lifetime)
    return TokenMade(
      id: made.grant.id, name: made.grant.name, scopes: scopes.map(\.rawValue).sorted(), expires: made.grant.expires,
      token: made.token, app: made.grant.app)
  }
}
