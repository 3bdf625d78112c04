package import Hummingbird

/// All routes, one a line.
package enum RouteList {
  package static let all: [any ServerRoutes.Type] = [
    HealthRoutes.self,
    UploadRoutes.self,
    CrashRoutes.self,
    MissingSymbolRoutes.self,
    IssueRoutes.self,
    RecordRoutes.self,
    AliveRoutes.self,
    ReleaseHealthRoutes.self,
    TerminationRoutes.self,
    TaskRoutes.self,
    FlagRoutes.self,
    FeedbackRoutes.self,
    BadgeRoutes.self,
    PushRoutes.self,
    CampaignRoutes.self,
    StatisticsRoutes.self,
    PageRoutes.self,
    IssuePageRoutes.self,
    FeedbackPageRoutes.self,
    CampaignPageRoutes.self,
    ReleasePageRoutes.self,
    SymbolPageRoutes.self,
    TerminationPages.self,
    TokenRoutes.self,
    PeopleRoutes.self,
    LoginRoutes.self,
    PeoplePageRoutes.self,
    AlertRoutes.self,
    AlertPageRoutes.self,
    PrivacyRoutes.self,
    QuotaRoutes.self,
    PatchRoutes.self,
    PatchPageRoutes.self,
    BuildRoutes.self,
    BuildPageRoutes.self,
    InstallRoutes.self,
    ModuleRoutes.self,
    ModulePageRoutes.self,
  ]

  /// The routes and the router that leads to them.
  package static func open(_ services: ServerServices) -> (routes: [any ServerRoutes], router: Router<ServerContext>) {
    var services = services
    services.publications = all.compactMap { $0.publication(services) }
    let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: RefusalMiddleware(services))
    let routes = all.map { $0.init(services) }
    for group in routes { group.add(to: router) }
    return (routes, router)
  }
}
