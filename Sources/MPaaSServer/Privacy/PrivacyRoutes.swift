import Hummingbird
import MPaaSProtocol
import MPaaSSupport

/// The data of users, to be removed or exported, and the rules of what is scrubbed before it is stored.
struct PrivacyRoutes: ServerRoutes {
  private static let longest = 300
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func begin() async throws { try await services.scrubbing.begin(from: services.store) }

  func follow(_ editions: Set<SharedEdition>) async throws {
    if editions.contains(.scrubbing) { try await services.scrubbing.begin(from: services.store) }
  }

  func add(to router: Router<ServerContext>) {
    let admins = router.group().add(middleware: PermissionMiddleware(.admin, services))
    let data = RouterPath(ConsolePaths.users + "/:id/data")
    admins.get(data) { _, context in
      UserExport(services, user: try Self.user(context), apps: try await apps(context)).response()
    }
    admins.delete(data) { _, context in
      Response.json(try await erase(try Self.user(context), context), headers: [.cacheControl: "no-store"])
    }
    let rules = RouterPath(ConsolePaths.scrubbing)
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get(rules) { _, context in
      let app = try await app(context)
      return Response.json(AppRules(app: app, rules: services.scrubbing.scrubber(of: app).rules))
    }
    admins.put(rules) { request, context in
      let rules: ScrubbingRules = try await Wire.read(request, context, services, limit: Wire.few)
      return Response.json(try await set(rules, context))
    }
  }

  private struct AppRules: Encodable {
    let app: String
    let rules: ScrubbingRules
  }

  private static func user(_ context: ServerContext) throws -> String {
    let user = PercentEncoding.decodeLeniently((context.parameters.get("id") ?? "").utf8)
    guard (1...longest).contains(user.utf8.count) else { throw Refusal(.badRequest, ["reason": "user"]) }
    return user
  }

  /// The apps that a request is about: the one that its token is for, or that it names, else all.
  private func apps(_ context: ServerContext) async throws -> [String] {
    if let app = context.grant?.app { return [app] }
    return try await services.access.allApps().map(\.key)
  }

  private func app(_ context: ServerContext) async throws -> String { try await apps(context).first ?? "" }

  private func erase(_ user: String, _ context: ServerContext) async throws -> ErasureReceipt {
    let apps = try await apps(context)
    let erasure = UserErasure(services)
    var removed: [String: Int] = [:]
    for app in apps { removed.merge(try await erasure.remove(user, of: app), uniquingKeysWith: +) }
    let (counts, now, actor) = (removed, services.now(), context.grant?.name ?? "")
    return try await services.store.write { database in
      let receipt = ErasureReceipt(
        id: Access.randomBytes(8).hexadecimal, time: now, apps: apps,
        subject: try ErasureReceipt.subject(of: user, in: database), removed: counts)
      try AuditTrail.add(receipt.deed(by: actor), at: now, in: database)
      return receipt
    }
  }

  private func set(_ rules: ScrubbingRules, _ context: ServerContext) async throws -> AppRules {
    try rules.check()
    let app = try await app(context)
    try await services.scrubbing.set(rules, of: app, in: services.store)
    let (now, actor) = (services.now(), context.grant?.name ?? "")
    let kinds = ScrubbingRules.Kind.allCases.filter(rules.builtin.contains).map(\.rawValue)
    let detail = "builtin=\(kinds.joined(separator: ",")) keys=\(rules.keys.count) keep=\(rules.keep.count)"
    try await services.store.write { database in
      try AuditTrail.add(
        AuditTrail.Deed(actor: actor, action: "scrubbing.changed", object: app, detail: detail, app: app), at: now,
        in: database)
    }
    return AppRules(app: app, rules: rules)
  }
}
