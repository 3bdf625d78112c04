import HTTPTypes
import Hummingbird
import MPaaSDatabase
import MPaaSFlagTools
import MPaaSFlags
import MPaaSProtocol
import MPaaSSupport

/// The routes by which operators change flags.
struct FlagOperatorRoutes: Sendable {
  private let book: FlagBook
  private static let mostListed = 1000

  private var services: ServerServices { book.services }

  init(_ book: FlagBook) { self.book = book }

  func add(to router: Router<ServerContext>) {
    let readers = router.group().add(middleware: PermissionMiddleware([.read, .flags], services))
    readers.get(RouterPath(FlagPaths.flags)) { try await state($0, $1) }
    readers.get(RouterPath(FlagPaths.environments)) { try await environments($0, $1) }
    readers.get(RouterPath(FlagPaths.history)) { try await history($0, $1) }
    readers.get("\(FlagPaths.history)/:version") { try await version($0, $1) }
    readers.get(RouterPath(FlagPaths.watch)) { try await watch($0, $1) }
    readers.get(RouterPath(FlagPaths.usage)) { request, context in
      Response.json(try await FlagUsageRoutes(book).usage(of: try place(request, context).key))
    }
    let writers = router.group().add(middleware: PermissionMiddleware(.flags, services))
    writers.post(RouterPath(FlagPaths.environments)) { try await make($0, $1) }
    writers.post(RouterPath(FlagPaths.changes)) { try await change($0, $1) }
    FlagProposalRoutes(book).add(to: readers, writers)
  }

  private func place(_ request: Request, _ context: ServerContext) throws -> FlagPlace {
    try book.place(request, context)
  }

  /// The state of a version as clients have it, which is what is exported.
  private func state(_ request: Request, _ context: ServerContext) async throws -> Response {
    let place = try place(request, context)
    let edition = place.edition
    guard let asked = FlagQuery(request)["version"], asked != String(edition.version) else {
      let body = edition.body("state", of: .all) {
        Self.state(edition.sources, edition.version, edition.updated, place.key)
      }
      return FlagAnswer.fresh(body, edition.etag, for: request)
    }
    let (key, version) = (place.key, try await book.head(ofVersion: asked, in: place))
    let sources = try await services.store.read { try FlagStore.sources(key, at: version.version, in: $0) }
    return FlagAnswer.json(Self.state(sources, version.version, version.time, key))
  }

  private static func state(_ sources: FlagSources, _ version: Int, _ updated: Double, _ key: FlagPlace.Key) -> String {
    let (app, environment) = (JSONValue.string(key.app).line, JSONValue.string(key.environment).line)
    return "{\"app\":\(app),\"environment\":\(environment),\(sources.members()),"
      + "\"updated\":\(JSONValue.number(updated).line),\"version\":\(version)}"
  }

  private func environments(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = context.grant?.app ?? FlagQuery(request)["app"]
    return Response.json(FlagEnvironmentPage(environments: try book.environments(app: app).map(\.summary)))
  }

  private func make(_ request: Request, _ context: ServerContext) async throws -> Response {
    guard let grant = context.grant else { throw PermissionMiddleware.missing }
    let wish: FlagEnvironmentWish = try await Wire.read(request, context, services)
    let place = try await book.make(wish, app: grant.app ?? FlagQuery(request)["app"], by: grant)
    return Response.json(place.summary, status: .created)
  }

  private func change(_ request: Request, _ context: ServerContext) async throws -> Response {
    guard let grant = context.grant else { throw PermissionMiddleware.missing }
    let place = try place(request, context)
    let change = try await book.change(of: request, context)
    if let version = try await book.change(change, in: place, by: grant) {
      return Response.json(version, status: .created)
    }
    let edition = place.edition
    return Response.json(
      FlagVersion(version: edition.version, author: grant.name, time: edition.updated, comment: change.comment))
  }

  private func history(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (place, query) = (try place(request, context), FlagQuery(request))
    let limit = min(max(query["limit"].flatMap { Int($0) } ?? 50, 1), Self.mostListed)
    let (key, before, flag) = (place.key, query["before"].flatMap { Int($0) }, query["flag"])
    let versions = try await book.versions(in: place, before: before, flag: flag, limit: limit)
    return Response.json(FlagHistoryPage(app: key.app, environment: key.environment, versions: versions))
  }

  private func version(_ request: Request, _ context: ServerContext) async throws -> Response {
    let word = context.parameters.get("version") ?? ""
    return Response.json(try await book.version(word, in: try place(request, context)))
  }

  /// The versions as they are made; those after `Last-Event-ID` come first.
  private func watch(_ request: Request, _ context: ServerContext) async throws -> Response {
    guard let grant = context.grant else { throw PermissionMiddleware.missing }
    let (place, services) = (try place(request, context), services)
    let (key, last) = (place.key, HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }.flatMap { Int($0) })
    return try book.stream(place, .versions, context, until: grant.expires) { edition in
      let first = ByteBuffer(string: ": connected\n\n")
      guard let last, last < edition.version else { return [first] }
      let missed = try await services.store.read { database in
        try FlagStore.versions(key, before: nil, flag: nil, limit: Self.mostListed, in: database)
          .filter { $0.version > last && $0.version <= edition.version }.reversed()
          .map { FlagWire.message(try FlagStore.listed($0, key, in: database)) }
      }
      return [first] + missed
    }
  }
}

extension FlagBook {
  /// The place that an operator's request is about.
  func place(_ request: Request, _ context: ServerContext) throws -> FlagPlace {
    let query = FlagQuery(request)
    return try place(app: context.grant?.app ?? query["app"], environment: query["environment"])
  }

  /// The change that a request's body asks for.
  func change(of request: Request, _ context: ServerContext) async throws -> FlagChangeRequest {
    let limits = services.limits
    return try FlagChangeBody.read(
      try await RequestBodyReader.all(of: request, context, limit: limits.report, limits: limits))
  }
}

extension FlagPlace {
  /// The environment as operators see it in lists.
  var summary: FlagEnvironment {
    let edition = edition
    return FlagEnvironment(
      app: key.app, name: key.environment, version: edition.version, updated: edition.updated,
      flags: edition.state.flags.count, segments: edition.state.segments.count)
  }
}
