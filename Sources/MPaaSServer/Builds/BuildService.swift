import Hummingbird
import MPaaSAppPackage
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// The work on builds that are kept, for routes and pages alike: each looks for them among the caller's apps.
struct BuildService: Sendable {
  let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  /// The app that a request is about: the one that it names, else the caller's, else the only one.
  ///
  /// - Throws: `server-scope` where it is none of the caller's, `server-bad-request` where none or an unknown one is
  ///   named.
  func app(_ word: String?, _ context: ServerContext) async throws -> String {
    let own = context.grant?.app
    guard let word else {
      if let own { return own }
      let apps = try await services.access.allApps()
      guard let only = apps.first, apps.count == 1 else { throw Refusal(.badRequest, ["reason": "app"]) }
      return only.key
    }
    guard let app = services.access.app(named: word)?.key else { throw Refusal(.badRequest, ["reason": "app"]) }
    guard own == nil || own == app else { throw Refusal(.scope, ["scope": "app"]) }
    return app
  }

  /// The build that the path names, with its links.
  ///
  /// - Throws: `server-not-found` where there is none that the caller sees.
  func build(_ context: ServerContext) async throws -> BuildEntry {
    let (id, app) = (context.parameters.get("id") ?? "", context.grant?.app)
    let found = try await services.store.read { database -> BuildEntry? in
      guard var build = try BuildStore.build(id, app: app, in: database) else { return nil }
      build.links = try BuildStore.links(of: build, in: database)
      return build
    }
    guard let found else { throw Refusal(.notFound, ["reason": "build \(id.prefix(100))"]) }
    return found
  }

  /// The file of the build that the path names.
  func file(_ request: Request, _ context: ServerContext) async throws -> Response {
    let build = try await build(context)
    return try await services.readings {
      try await BlobAnswer(services: services, blob: build.sha256, filename: build.filename)
        .response(to: request, context)
    }
  }

  func remove(_ context: ServerContext) async throws {
    let (build, now) = (try await build(context), services.now())
    let deed = AuditTrail.Deed(build, "build.removed", by: context.grant)
    try await services.store.write { database in
      try BuildStore.remove(build, in: database)
      try AuditTrail.add(deed, at: now, in: database)
    }
    services.counts.add("removed.build")
    // The blob goes later where its place is away.
    try? await services.removals.run()
  }

  /// The days that a link lasts.
  static let days = 1...365
  static let usualDays = 7
  /// Seconds for which ended links are listed.
  static let memory = 7 * 86_400.0

  /// Makes a link of the build that the path names; its address is told this once.
  ///
  /// - Throws: `server-build-not-installable`, `server-bad-request` for days that are none.
  func link(_ wish: BuildLinkWish, _ request: Request, _ context: ServerContext) async throws -> BuildLink {
    let (build, now) = (try await build(context), services.now())
    guard build.kind != AppPackage.Kind.xcarchive.rawValue else { throw Refusal(.buildNotInstallable) }
    let days = wish.days ?? Self.usualDays
    guard Self.days.contains(days) else { throw Refusal(.badRequest, ["reason": "days"]) }
    guard build.links?.count ?? 0 < BuildStore.mostLinks else { throw Refusal(.badRequest, ["reason": "links"]) }
    let secret = InstallSecret.fresh()
    let link = BuildLink(
      id: Access.randomBytes(6).hexadecimal, author: context.grant?.name ?? "", created: now,
      expires: now + Double(days) * 86_400)
    let deed = AuditTrail.Deed(build, "build.linked", by: context.grant, "\(link.id) \(days) d")
    try await services.store.write { database in
      try BuildStore.insert(link, InstallSecret.hash(secret), of: build, in: database)
      try AuditTrail.add(deed, at: now, in: database)
    }
    var told = link
    told.url = "\(services.address.url(for: request))\(ConsolePaths.install)/\(secret)"
    return told
  }

  /// Ends a link of the build that the path names.
  ///
  /// - Throws: `server-not-found`.
  func revoke(_ link: String, _ context: ServerContext) async throws {
    let (build, now) = (try await build(context), services.now())
    let deed = AuditTrail.Deed(build, "build.link-revoked", by: context.grant, String(link.prefix(100)))
    let ended = try await services.store.write { database -> Bool in
      guard try BuildStore.removeLink(link, of: build, in: database) else { return false }
      try AuditTrail.add(deed, at: now, in: database)
      return true
    }
    guard ended else { throw Refusal(.notFound, ["reason": "link \(link.prefix(100))"]) }
  }
}

/// The secret in a link, of which the database has the digest alone.
enum InstallSecret {
  static func fresh() -> String { Access.randomBytes(24).hexadecimal }

  static func hash(_ secret: String) -> [UInt8] { TokenRow.hash(secret) }
}
