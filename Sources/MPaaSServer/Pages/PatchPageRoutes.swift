import HTTPTypes
import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The page of hotpatches: devices by version, rollouts as they stand, and a form by which changes are asked for.
struct PatchPageRoutes: ServerRoutes {
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/patches") { request, context in try await page(request, context) }
    pages.post("/patches") { try await ask($0, $1) }
    pages.get("/apps/:app/patches") { request, context in
      try await page(request, context, app: try services.app(inPathOf: context).key)
    }
  }

  private func page(
    _ request: Request, _ context: ServerContext, app: String? = nil, problem: String? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let own = context.grant?.app
    let only = app ?? own
    let now = services.now()
    let (patches, requests) = try await services.store.read { database in
      (try RolloutStore.patches(app: only, at: now, in: database), try RolloutStore.requests(app: only, in: database))
    }
    let apps = try await services.access.allApps().filter { own == nil || $0.key == own }
    let content = PatchPages.Content(
      patches: patches, requests: requests, apps: Dictionary(apps.map { ($0.key, $0.name) }) { $1 }, app: app,
      mayAsk: context.may(.operate), problem: problem)
    return PageRoutes.answer(PatchPages(frame: PageFrame(request, services)).page(content), status: status)
  }

  private func ask(_ request: Request, _ context: ServerContext) async throws -> Response {
    try context.require(.operate)
    let form = try await Form(request, context, services)
    do {
      _ = try await PatchRoutes.ask(try Self.wish(form), context, services)
      return PageRoutes.redirect("/patches")
    } catch {
      guard let refusal = Refusal(any: error), [.badRequest, .notFound].contains(refusal.status) else { throw error }
      services.counts.refused(refusal.error.code.id.name)
      let problem = PageFrame(request, services).catalogue.sentence(
        refusal.error.code.id.name, refusal.error.values)
      return try await page(request, context, problem: problem, status: refusal.status)
    }
  }

  /// The change that the form stands for.
  private static func wish(_ form: Form) throws -> RolloutWish {
    let names = form.whole("rollout").split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard names.count == 4 else { throw Refusal(.badRequest, ["reason": "rollout"]) }
    guard let action = RolloutRequest.Action(rawValue: form["action"]) else {
      throw Refusal(.badRequest, ["reason": "action"])
    }
    var points: Int?
    if action == .percentage {
      guard let percent = Double(form["percent"]), (0...100).contains(percent) else {
        throw Refusal(.badRequest, ["reason": "percent"])
      }
      points = Int((percent * 100).rounded())
    }
    return RolloutWish(
      identity: names[0], patch: names[1], version: names[2], channel: names[3], action: action, basisPoints: points,
      reason: form["reason"])
  }
}
