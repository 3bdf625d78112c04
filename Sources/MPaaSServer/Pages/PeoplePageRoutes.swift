import HTTPTypes
import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The pages of accounts, teams, tokens, sessions and the audit log, for administrators.
struct PeoplePageRoutes: ServerRoutes {
  private let services: ServerServices
  private let changes: PeopleChanges
  private static let perPage = 100

  init(_ services: ServerServices) {
    self.services = services
    changes = PeopleChanges(services: services)
  }

  func add(to router: Router<ServerContext>) {
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/people") { try await people($0, $1) }
    pages.get("/people/audit") { try await audit($0, $1) }
    pages.post("/people") { try await act($0, $1, "add") }
    pages.post("/people/teams") { try await act($0, $1, "team") }
    pages.post("/people/teams/:id/:action") { try await act($0, $1, "team-\($1.parameters.get("action") ?? "")") }
    pages.post("/people/sessions/:id/end") { try await act($0, $1, "session-end") }
    pages.post("/people/tokens/:id/end") { try await act($0, $1, "token-end") }
    pages.post("/people/:id/:action") { try await act($0, $1, $1.parameters.get("action") ?? "") }
  }

  private func people(
    _ request: Request, _ context: ServerContext, problem: String? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let asker = try PeopleChanges.asker(context)
    let now = services.now()
    let tokens = try await TokenRoutes.list(asker, services)
    let apps = try await services.access.allApps()
    let page = try await services.store.read { database in
      PeoplePages.People(
        people: try PeopleStore.people(in: database), teams: try PeopleStore.teams(in: database), tokens: tokens,
        sessions: try Sessions.list(nil, at: now, in: database), apps: apps, problem: problem)
    }
    return PageRoutes.answer(PeoplePages(frame: PageFrame(request, services)).people(page), status: status)
  }

  private func audit(_ request: Request, _ context: ServerContext) async throws -> Response {
    _ = try PeopleChanges.asker(context)
    let before = request.uri.queryParameters["before"].flatMap { Int64($0) }
    let entries = try await services.store.read {
      try AuditTrail.newest(before: before, limit: Self.perPage, in: $0)
    }
    let page = PeoplePages(frame: PageFrame(request, services)).audit(
      entries, hasMore: entries.count == Self.perPage)
    return PageRoutes.answer(page)
  }

  /// Does what a form asks for, and shows the page with the fault where it cannot be.
  private func act(_ request: Request, _ context: ServerContext, _ action: String) async throws -> Response {
    let asker = try PeopleChanges.asker(context)
    let form = try await Form(request, context, services)
    let id = context.parameters.get("id") ?? ""
    do {
      try await act(action, id, form, asker)
      return PageRoutes.redirect("/people")
    } catch {
      guard let refusal = Refusal(any: error), refusal.status.code < 500 else { throw error }
      services.counts.refused(refusal.error.code.id.name)
      let catalogue = PageFrame(request, services).catalogue
      let problem = catalogue.sentence(refusal.error.code.id.name, refusal.error.values)
      return try await people(request, context, problem: problem, status: refusal.status)
    }
  }

  private func act(_ action: String, _ id: String, _ form: Form, _ asker: Grant) async throws {
    switch action {
    case "add":
      _ = try await changes.add(
        PersonWish(
          name: form["name"], mail: form["mail"], role: form["role"],
          password: form["password"].isEmpty ? nil : form.whole("password")), by: asker)
    case "disable": _ = try await changes.change(id, PersonWish(disabled: true), by: asker)
    case "enable": _ = try await changes.change(id, PersonWish(disabled: false), by: asker)
    case "role": _ = try await changes.change(id, PersonWish(role: form["role"]), by: asker)
    case "team": _ = try await changes.add(TeamWish(name: form["name"], apps: form.all("app")), by: asker)
    case "team-member":
      var team = try await changes.team(id)
      team.members.removeAll { $0.person == form["person"] }
      if !form["role"].isEmpty {
        team.members.append(TeamEntry.Member(person: form["person"], role: form["role"]))
      }
      _ = try await changes.change(id, TeamWish(members: team.members), by: asker)
    case "team-remove": try await changes.removeTeam(id, by: asker)
    case "session-end": try await changes.endSession(id, ofPerson: nil, by: asker)
    case "token-end":
      try await TokenRoutes.end(try await TokenRoutes.grant(id, asker, services), by: asker, services)
    default: throw Refusal(.notFound, ["reason": "action"])
    }
  }
}
