import Hummingbird
import MPaaSProtocol
import MPaaSSupport

/// Tokens: made, listed, ended, and replaced.
struct TokenRoutes: ServerRoutes {
  private static let lifetime = 30.0 * 86_400
  private static let longest = 10.0 * 365 * 86_400
  private static let mostApps = 100

  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let admins = router.group().add(middleware: PermissionMiddleware(.admin, services))
    let one = "\(ConsolePaths.tokens)/:id"
    admins.post(RouterPath(ConsolePaths.tokens)) { request, context in
      let wish: TokenWish = try await Wire.read(request, context, services, limit: Wire.few)
      return Response.json(try await make(wish, context.grant), status: .created)
    }
    admins.get(RouterPath(ConsolePaths.tokens)) { _, context in
      Response.json(
        TokenPage(tokens: try await Self.list(context.grant, services)), headers: [.cacheControl: "no-store"])
    }
    admins.delete(RouterPath(one)) { _, context in
      let grant = try await Self.grant(context.parameters.get("id") ?? "", context.grant, services)
      try await Self.end(grant, by: context.grant, services)
      return Response(status: .noContent)
    }
    admins.post(RouterPath(one + "/rotate")) { request, context in
      let wish: TokenRotation = try await Wire.read(request, context, services, limit: Wire.few)
      let old = try await Self.grant(context.parameters.get("id") ?? "", context.grant, services)
      return Response.json(try await rotate(old, wish, context.grant), status: .created)
    }
  }

  /// The tokens that an administrator sees: all, or those of the app that their own is for.
  static func list(_ asker: Grant?, _ services: ServerServices) async throws -> [TokenEntry] {
    let now = services.now()
    return try await services.access.grants().filter { $0.expires > now && isVisible($0, to: asker) }.map(\.entry)
  }

  private static func isVisible(_ grant: Grant, to asker: Grant?) -> Bool {
    guard let app = asker?.app else { return true }
    return grant.apps == [app]
  }

  /// The token of an id.
  ///
  /// - Throws: `server-not-found` where there is none that goes on and that the asker sees.
  static func grant(_ id: String, _ asker: Grant?, _ services: ServerServices) async throws -> Grant {
    let found = try await services.store.read { try TokenRow.grant(id: id, in: $0) }
    guard let found, found.expires > services.now(), isVisible(found, to: asker) else {
      throw Refusal(.notFound, ["reason": "token \(id)"])
    }
    return found
  }

  /// Ends a token at once, here and within a second on other servers.
  static func end(_ grant: Grant, by asker: Grant?, _ services: ServerServices) async throws {
    guard asker?.mayGive(grant.scopes, for: grant.apps.map(Array.init)) ?? false else {
      throw Refusal(.scope, ["scope": Scope.own.rawValue])
    }
    let (now, deed) = (services.now(), deed("token.revoked", grant, asker))
    try await services.store.write { database in
      guard try TokenRow.remove(grant.id, in: database) else { return }
      try AuditTrail.add(deed, at: now, in: database)
    }
    services.access.forget { $0.id == grant.id }
  }

  private static func deed(_ action: String, _ grant: Grant, _ asker: Grant?) -> AuditTrail.Deed {
    let scopes = grant.scopes.map(\.rawValue).sorted().joined(separator: " ")
    return AuditTrail.Deed(
      actor: asker?.name ?? "", action: action, object: "\(grant.id) \(grant.name)", detail: scopes,
      app: grant.apps.flatMap { $0.count == 1 ? $0.first : nil })
  }

  private func make(_ wish: TokenWish, _ maker: Grant?) async throws -> TokenMade {
    let scopes = try scopes(wish)
    guard (1...200).contains(wish.name.utf8.count) else { throw Refusal(.badRequest, ["reason": "name"]) }
    let lifetime = try lifetime(wish.lifetime ?? Self.lifetime)
    let apps = try apps(wish, maker)
    guard maker?.mayGive(scopes, for: apps.isEmpty ? nil : apps) ?? false else {
      // An app's administrator makes none for others; nor does anybody give what they have not got.
      throw apps.isEmpty ? Refusal(.scope, ["scope": Scope.own.rawValue]) : Refusal(.badRequest, ["reason": "app"])
    }
    return try await issue(wish.name, scopes, apps, lifetime, "token.created", maker)
  }

  private func issue(
    _ name: String, _ scopes: Set<Scope>, _ apps: [String], _ lifetime: Double, _ action: String, _ maker: Grant?
  ) async throws -> TokenMade {
    let made = try await services.access.issue(
      name, scopes, app: apps.count == 1 ? apps.first : nil, apps: apps, author: maker?.name ?? "",
      lifetime: lifetime)
    let (now, deed) = (services.now(), Self.deed(action, made.grant, maker))
    try await services.store.write { try AuditTrail.add(deed, at: now, in: $0) }
    let entry = made.grant.entry
    return TokenMade(
      id: entry.id, name: entry.name, scopes: entry.scopes, expires: entry.expires, token: made.token,
      app: apps.count == 1 ? apps.first : nil, apps: apps.count > 1 ? apps : nil)
  }

  /// Puts another token in the place of one, which ends now or after a time of grace.
  private func rotate(_ old: Grant, _ wish: TokenRotation, _ maker: Grant?) async throws -> TokenMade {
    guard maker?.mayGive(old.scopes, for: old.apps.map(Array.init)) ?? false else {
      throw Refusal(.scope, ["scope": Scope.own.rawValue])
    }
    let grace = wish.grace ?? 0
    guard (0...Self.lifetime).contains(grace) else { throw Refusal(.badRequest, ["reason": "grace"]) }
    let lifetime = try lifetime(wish.lifetime ?? old.expires - old.created)
    let made = try await issue(
      old.name, old.scopes, old.apps?.sorted() ?? [], lifetime, "token.rotated", maker)
    let end = services.now() + grace
    try await services.store.write { try TokenRow.end(old.id, at: end, in: $0) }
    services.access.forget { $0.id == old.id }
    return made
  }

  private func lifetime(_ lifetime: Double) throws -> Double {
    guard lifetime > 0, lifetime <= Self.longest else { throw Refusal(.badRequest, ["reason": "lifetime"]) }
    return lifetime
  }

  private func scopes(_ wish: TokenWish) throws -> Set<Scope> {
    if let word = wish.role {
      guard wish.scopes.isEmpty, let role = Role(rawValue: word) else { throw Refusal(.badRequest, ["reason": "role"]) }
      return role.scopes
    }
    let scopes = wish.scopes.compactMap(Scope.init(rawValue:))
    guard !scopes.isEmpty, scopes.count == wish.scopes.count else { throw Refusal(.badRequest, ["reason": "scopes"]) }
    return Set(scopes)
  }

  /// The keys of the apps that a token is to be limited to; none for all.
  ///
  /// - Throws: `server-bad-request` where there is no such app.
  private func apps(_ wish: TokenWish, _ maker: Grant?) throws -> [String] {
    let words = (wish.app.map { [$0] } ?? []) + (wish.apps ?? [])
    guard words.count <= Self.mostApps else { throw Refusal(.badRequest, ["reason": "apps"]) }
    let keys = try words.map { word in
      guard let app = services.access.app(named: word) else { throw Refusal(.badRequest, ["reason": "app"]) }
      return app.key
    }
    return keys.isEmpty ? maker?.app.map { [$0] } ?? [] : Array(Set(keys)).sorted()
  }
}

extension Grant {
  /// The token as lists show it.
  var entry: TokenEntry {
    TokenEntry(
      id: id, name: name, scopes: scopes.map(\.rawValue).sorted(), apps: apps?.sorted() ?? [], created: created,
      expires: expires)
  }
}
