import HTTPTypes
import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The pages of builds: all, those of an app with a form, and one with its links.
struct BuildPageRoutes: ServerRoutes {
  private static let most = 200
  private let services: ServerServices
  private let builds: BuildService

  init(_ services: ServerServices) {
    self.services = services
    builds = BuildService(services)
  }

  func add(to router: Router<ServerContext>) {
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/builds") { try await all($0, $1) }
    pages.get("/apps/:app/builds") { try await list($0, $1) }
    pages.post("/apps/:app/builds") { try await add($0, $1) }
    pages.get("/builds/:id") { request, context in try await show(request, context, try await builds.build(context)) }
    pages.get("/builds/:id/file") { try await builds.file($0, $1) }
    pages.post("/builds/:id/:action") { try await act($0, $1) }
  }

  private func pages(_ request: Request) -> BuildPages { BuildPages(frame: PageFrame(request, services)) }

  /// The builds of all apps of the caller; of one app its own page.
  private func all(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = context.grant?.app
    let apps = try await services.access.allApps().filter { app == nil || $0.key == app }
    if let only = apps.first, apps.count == 1 { return PageRoutes.redirect(BuildPages.path(app: only.key)) }
    let found = try await services.store.read {
      try BuildStore.builds(app: app, before: nil, limit: Self.most, in: $0)
    }
    return PageRoutes.answer(pages(request).all(found, apps: apps))
  }

  private func list(
    _ request: Request, _ context: ServerContext, problem: String? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let app = try services.app(inPathOf: context)
    let found = try await services.store.read {
      try BuildStore.builds(app: app.key, before: nil, limit: Self.most, in: $0)
    }
    return PageRoutes.answer(
      pages(request).list(found, app: app, mayAdd: context.may(.operate), problem: problem), status: status)
  }

  private func add(_ request: Request, _ context: ServerContext) async throws -> Response {
    try context.require(.operate)
    let app = try services.app(inPathOf: context)
    do {
      let kept = try await BuildIntake(services).takeForm(request, context, app: app.key)
      return PageRoutes.redirect(BuildPages.path(kept.build))
    } catch {
      // The connection tells the reason where a body was not read to its end.
      guard let refusal = Refusal(any: error), refusal.status == .badRequest else { throw error }
      return try await list(request, context, problem: sentence(refusal, request), status: refusal.status)
    }
  }

  /// The sentence of a refusal, which is counted.
  private func sentence(_ refusal: Refusal, _ request: Request) -> String {
    let word = refusal.error.code.id.name
    services.counts.refused(word)
    return PageFrame(request, services).catalogue.sentence(word, refusal.error.values)
  }

  private func show(
    _ request: Request, _ context: ServerContext, _ build: BuildEntry, fresh: BuildLink? = nil, problem: String? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let detail = BuildPages.Detail(
      build: build, mayChange: context.may(.operate), now: services.now(), fresh: fresh, problem: problem)
    return PageRoutes.answer(pages(request).build(detail), status: status)
  }

  private func act(_ request: Request, _ context: ServerContext) async throws -> Response {
    try context.require(.operate)
    let form = try await Form(request, context, services)
    let path = "/builds/\(HTML.segment(context.parameters.get("id") ?? ""))"
    switch context.parameters.get("action") {
    case "link":
      guard let days = Int(form["days"]) else { throw Refusal(.badRequest, ["reason": "days"]) }
      let link = try await builds.link(BuildLinkWish(days: days), request, context)
      return try await show(request, context, try await builds.build(context), fresh: link, status: .created)
    case "revoke":
      try await builds.revoke(form["link"], context)
      return PageRoutes.redirect(path)
    case "remove":
      guard form["sure"] == "1" else { throw Refusal(.badRequest, ["reason": "sure"]) }
      let build = try await builds.build(context)
      try await builds.remove(context)
      return PageRoutes.redirect(BuildPages.path(app: build.app))
    default: throw Refusal(.notFound, ["reason": "action"])
    }
  }
}
