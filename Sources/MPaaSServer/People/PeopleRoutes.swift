import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Accounts, teams, sessions and the audit log.
struct PeopleRoutes: ServerRoutes {
  private let services: ServerServices
  private let changes: PeopleChanges
  private static let mostEntries = 1000

  init(_ services: ServerServices) {
    self.services = services
    changes = PeopleChanges(services: services)
  }

  func add(to router: Router<ServerContext>) {
    let admins = router.group().add(middleware: PermissionMiddleware(.admin, services))
    let people = RouterPath(ConsolePaths.people)
    admins.get(people) { _, context in
      _ = try PeopleChanges.asker(context)
      return Response.json(PeoplePage(people: try await services.store.read { try PeopleStore.people(in: $0) }))
    }
    admins.post(people) { request, context in
      let asker = try PeopleChanges.asker(context)
      let wish: PersonWish = try await Wire.read(request, context, services, limit: Wire.few)
      return Response.json(try await changes.add(wish, by: asker), status: .created)
    }
    admins.patch(RouterPath(ConsolePaths.people + "/:id")) { request, context in
      let asker = try PeopleChanges.asker(context)
      let wish: PersonWish = try await Wire.read(request, context, services, limit: Wire.few)
      return Response.json(try await changes.change(Self.word(context), wish, by: asker))
    }
    addTeams(to: admins)
    admins.get(RouterPath(ConsolePaths.sessions)) { _, context in
      _ = try PeopleChanges.asker(context)
      let now = services.now()
      return Response.json(
        SessionPage(sessions: try await services.store.read { try Sessions.list(nil, at: now, in: $0) }))
    }
    admins.delete(RouterPath(ConsolePaths.sessions + "/:id")) { _, context in
      let asker = try PeopleChanges.asker(context)
      try await changes.endSession(Self.word(context), ofPerson: nil, by: asker)
      return Response(status: .noContent)
    }
    admins.get(RouterPath(ConsolePaths.audit)) { request, context in
      _ = try PeopleChanges.asker(context)
      return Response.json(try await audit(request))
    }
  }

  private func addTeams(to admins: RouterGroup<ServerContext>) {
    let (all, one) = (RouterPath(ConsolePaths.teams), RouterPath(ConsolePaths.teams + "/:id"))
    admins.get(all) { _, context in
      _ = try PeopleChanges.asker(context)
      return Response.json(TeamPage(teams: try await services.store.read { try PeopleStore.teams(in: $0) }))
    }
    admins.post(all) { request, context in
      let asker = try PeopleChanges.asker(context)
      let wish: TeamWish = try await Wire.read(request, context, services, limit: Wire.few)
      return Response.json(try await changes.add(wish, by: asker), status: .created)
    }
    admins.patch(one) { request, context in
      let asker = try PeopleChanges.asker(context)
      let wish: TeamWish = try await Wire.read(request, context, services, limit: Wire.few)
      return Response.json(try await changes.change(Self.word(context), wish, by: asker))
    }
    admins.delete(one) { _, context in
      let asker = try PeopleChanges.asker(context)
      try await changes.removeTeam(Self.word(context), by: asker)
      return Response(status: .noContent)
    }
  }

  private static func word(_ context: ServerContext) -> String {
    PercentEncoding.decodeLeniently((context.parameters.get("id") ?? "").utf8)
  }

  private func audit(_ request: Request) async throws -> AuditPage {
    let parameters = request.uri.queryParameters
    let after = parameters["after"].flatMap { Int64($0) } ?? 0
    let limit = min(max(parameters["limit"].flatMap { Int($0) } ?? 100, 1), Self.mostEntries)
    let entries = try await services.store.read { try AuditTrail.entries(after: after, limit: limit, in: $0) }
    return AuditPage(entries: entries, next: entries.count == limit ? entries.last?.number : nil)
  }
}
