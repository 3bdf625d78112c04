import HTTPTypes
import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The pages of alerts: the rules with a form, and one rule with its deliveries.
struct AlertPageRoutes: ServerRoutes {
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/alerts") { request, context in try await list(request, context, AlertPages.Draft()) }
    pages.post("/alerts") { try await make($0, $1) }
    pages.get("/alerts/:id") { try await rule($0, $1) }
    pages.post("/alerts/:id/:action") { try await act($0, $1) }
  }

  private func pages(_ request: Request) -> AlertPages { AlertPages(frame: PageFrame(request, services)) }

  private func list(
    _ request: Request, _ context: ServerContext, _ draft: AlertPages.Draft, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    try context.require(.operate)
    let app = context.grant?.app
    let rules = try await AlertRoutes.list(app, services)
    let apps = try await services.access.allApps().filter { app == nil || $0.key == app }
    return PageRoutes.answer(pages(request).list(rules, apps: apps, draft), status: status)
  }

  private func make(_ request: Request, _ context: ServerContext) async throws -> Response {
    try context.require(.operate)
    let form = try await Form(request, context, services)
    var draft = AlertPages.Draft(
      name: form["name"], condition: form["condition"], over: form["over"], minutes: form["minutes"],
      target: form["target"])
    do {
      let rule = try await AlertRoutes.make(try Self.wish(form), context, services)
      let entry = rule.entry(firing: 0, tells: true)
      // A secret that was made is shown this once.
      guard entry.to.contains(where: { $0.secret != nil }) else { return PageRoutes.redirect("/alerts/\(rule.id)") }
      return PageRoutes.answer(pages(request).rule(entry, [], isNew: true), status: .created)
    } catch {
      guard let refusal = Refusal(any: error), refusal.status == .badRequest else { throw error }
      services.counts.refused(refusal.error.code.id.name)
      draft.problem = PageFrame(request, services).catalogue.sentence(
        refusal.error.code.id.name, refusal.error.values)
      return try await list(request, context, draft, status: refusal.status)
    }
  }

  /// The wish that the form stands for; numbers that cannot be read are told by the field's name.
  private static func wish(_ form: Form) throws -> AlertWish {
    var when = AlertWhen()
    let condition = form["condition"]
    func share() throws -> Double {
      guard let percent = Double(form["over"]), percent.isFinite else { throw AlertRules.wrong("over") }
      return percent / 100
    }
    func count() throws -> AlertWhen.Count {
      guard let over = Int64(form["over"]) else { throw AlertRules.wrong("over") }
      guard let minutes = Int64(form["minutes"]) else { throw AlertRules.wrong("minutes") }
      return AlertWhen.Count(over: over, minutes: minutes)
    }
    switch condition {
    case "new": when.new = AlertWhen.Issue()
    case "regressed": when.regressed = AlertWhen.Issue()
    case "count": when.count = try count()
    case "users": when.users = try count()
    case "crash_free_below": when.crashFreeBelow = AlertWhen.CrashFree(share: try share())
    case "adoption": when.adoption = AlertWhen.Adoption(over: try share())
    case "quota": when.quota = AlertWhen.Quota(over: try share())
    default: throw AlertRules.wrong("when")
    }
    let address = form["target"]
    let target =
      MailAddress.isOne(address)
      ? AlertTarget(mail: address)
      : AlertTarget(webhook: address, secret: form["secret"].isEmpty ? nil : form["secret"])
    return AlertWish(
      name: form["name"], when: when, to: [target], app: form["app"].isEmpty ? nil : form["app"])
  }

  private func rule(_ request: Request, _ context: ServerContext) async throws -> Response {
    try context.require(.operate)
    let rule = try await AlertRoutes.rule(context, services)
    let firing = try await services.store.read { try AlertStore.firing(rule, in: $0) }
    let deliveries = try await AlertRoutes.deliveries(rule, services)
    return PageRoutes.answer(pages(request).rule(rule.entry(firing: firing), deliveries))
  }

  private func act(_ request: Request, _ context: ServerContext) async throws -> Response {
    try context.require(.operate)
    let id = HTML.segment(context.parameters.get("id") ?? "")
    switch context.parameters.get("action") {
    case "test": try await AlertRoutes.test(context, services)
    case "pause": _ = try await AlertRoutes.change(AlertWish(enabled: false), context, services)
    case "resume": _ = try await AlertRoutes.change(AlertWish(enabled: true), context, services)
    case "remove":
      try await AlertRoutes.remove(context, services)
      return PageRoutes.redirect("/alerts")
    default: throw Refusal(.notFound, ["reason": "action"])
    }
    return PageRoutes.redirect("/alerts/\(id)")
  }
}
