import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSTerminal

/// The pages of campaigns: the list, and one with its outcomes.
struct CampaignPageRoutes: ServerRoutes {
  private static let perPage = 50

  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/campaigns") { try await list($0, $1) }
    pages.get("/campaigns/:id") { try await campaign($0, $1) }
    for wish in CampaignStore.Wish.allCases {
      pages.post(RouterPath("/campaigns/:id/\(wish.rawValue)")) { try await change(wish, $0, $1) }
    }
  }

  private func page(_ request: Request) -> CampaignPages {
    let usual = services.catalogue.language
    let language = AcceptLanguage.best(of: request.headers[.acceptLanguage] ?? "") ?? usual
    return CampaignPages(
      frame: PageFrame(catalogue: language == usual ? services.catalogue : Catalogue(language: language)))
  }

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    var filter = CampaignStore.Filter(app: context.grant?.app, limit: Self.perPage)
    filter.before = request.uri.queryParameters["before"].flatMap { Int64($0) }
    let asked = filter
    let list = try await services.store.read { try CampaignStore.page(asked, in: $0) }
    return PageRoutes.answer(page(request).list(list))
  }

  private func campaign(_ request: Request, _ context: ServerContext) async throws -> Response {
    let stored = try await CampaignRoutes.stored(request, context, services)
    let parameters = request.uri.queryParameters
    var shown = CampaignPages.Outcomes()
    shown.state = parameters["state"].flatMap { PushDeliveryState(rawValue: String($0)) }
    let (state, after) = (shown.state, parameters["after"].flatMap { Int64($0) })
    let number = stored.entry.number
    (shown.reasons, shown.page) = try await services.store.read { database in
      (
        try CampaignStore.reasons(number, in: database),
        try CampaignStore.deliveries(number, state, after: after, limit: Self.perPage, in: database)
      )
    }
    return PageRoutes.answer(page(request).campaign(stored, shown, mayChange: context.may(.operate)))
  }

  private func change(
    _ wish: CampaignStore.Wish, _ request: Request, _ context: ServerContext
  ) async throws -> Response {
    try context.require(.operate)
    let changed = try await CampaignRoutes.change(wish, request, context, services)
    return PageRoutes.redirect("/campaigns/\(HTML.segment(changed.id))?app=\(HTML.segment(changed.app))")
  }
}
