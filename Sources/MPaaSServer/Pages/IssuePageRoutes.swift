import HTTPTypes
import Hummingbird
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal

/// The pages of issues; they work without scripts.
struct IssuePageRoutes: ServerRoutes {
  private let services: ServerServices
  private static let events = 20
  private static let perPage = 25

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/issues") { try await list($0, $1) }
    pages.get("/issues/:id") { request, context in
      try await page(try await IssueRoutes.id(context, services), request, context)
    }
    pages.post("/issues/bulk") { try await bulk($0, $1) }
    pages.post("/issues/:id/:action") { try await act($0, $1) }
  }

  private func frame(_ request: Request) -> PageFrame { PageFrame(request, services) }

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    // Without a search the page shows what is to be done.
    let asked = request.uri.query ?? ""
    let form = Form(asked.contains("query=") ? asked : asked + "&query=is:unresolved")
    let frame = frame(request)
    var list = IssuePages.List(query: form.whole("query"), mayChange: context.may(.operate))
    list.sort = IssueEntry.Sort(rawValue: form["sort"]) ?? .lastSeen
    var status = HTTPResponse.Status.ok
    do {
      var query = try await IssueRoutes.query(form, context, services, catalogue: frame.catalogue)
      query.limit = Self.perPage
      let asked = query
      let (entries, next) = try await services.store.read { try IssueStore.entries(asked, in: $0) }
      (list.entries, list.next) = (entries, next)
    } catch let error as SearchRefusal {
      services.counts.refused(error.refusal.error.code.id.name)
      list.problem = frame.catalogue.sentence(error.refusal.error.code.id.name, error.refusal.error.values)
      status = error.refusal.status
    }
    return PageRoutes.answer(IssuePages(frame: frame).list(list), status: status)
  }

  private func page(
    _ id: Int64, _ request: Request, _ context: ServerContext, problem: String? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let app = context.grant?.app
    let found = try await services.store.read { database -> (IssueDetail, [CrashEntry])? in
      guard let detail = try IssueStore.detail(id, app: app, in: database) else { return nil }
      // The newest of each group, and of these the newest.
      let events = try detail.groups.compactMap { Int64($0.id) }.flatMap { group in
        try CrashStore.crashes(group: group, app: detail.entry.app, limit: Self.events, in: database)
      }
      return (detail, Array(events.sorted { $0.id > $1.id }.prefix(Self.events)))
    }
    guard let (detail, events) = found else { throw IssueRoutes.missing(String(id)) }
    let page = IssuePages(frame: frame(request)).issue(
      .init(issue: detail, events: events, mayChange: context.may(.operate), problem: problem))
    return PageRoutes.answer(page, status: status)
  }

  private func act(_ request: Request, _ context: ServerContext) async throws -> Response {
    try context.require(.operate)
    let id = try await IssueRoutes.id(context, services)
    let form = try await Form(request, context, services)
    do {
      switch context.parameters.get("action") {
      case "comments": _ = try await IssueRoutes.comment(form.whole("text"), on: id, context, services)
      case "delete":
        guard form["sure"] == "1", try await IssueRoutes.remove(id, context, services) else {
          throw IssueRoutes.missing(String(id))
        }
        return PageRoutes.redirect("/issues")
      case "state", "assignee", "merge", "split":
        let author = IssueRoutes.author(context, services)
        let change = try IssueChange(Self.body(form), me: author.name)
        let changed = try await services.store.write { try IssueStore.change(id, change, by: author, in: $0) }
        guard let changed else { throw IssueRoutes.missing(String(id)) }
        return PageRoutes.redirect("/issues/\(changed)")
      default: throw IssueRoutes.missing(String(id))
      }
    } catch {
      guard let refusal = Refusal(any: error), refusal.status == .badRequest else { throw error }
      services.counts.refused(refusal.error.code.id.name)
      let problem = frame(request).catalogue.sentence(refusal.error.code.id.name, refusal.error.values)
      return try await page(id, request, context, problem: problem, status: refusal.status)
    }
    return PageRoutes.redirect("/issues/\(id)")
  }

  /// The change that a form asks for; what it leaves empty is not part of it.
  private static func body(_ form: Form) throws -> JSONValue {
    var object: JSONValue.Object = [:]
    let state = form["state"]
    if !state.isEmpty { object["state"] = .string(state) }
    if state == "resolved" {
      if !form["in_release"].isEmpty { object["in_release"] = .string(form["in_release"]) }
      if !form["in_next_release"].isEmpty { object["in_next_release"] = true }
    }
    if state == "ignored" {
      var until: JSONValue.Object = [:]
      if !form["until_time"].isEmpty {
        let text = form["until_time"]
        until["time"] = .string(text.count == 16 ? text + ":00Z" : text)
      }
      for name in ["count", "users", "per_hour"] where !form["until_\(name)"].isEmpty {
        guard let count = Int64(form["until_\(name)"]) else { throw IssueChange.wrong("until.\(name)") }
        until[name] = JSONValue(count)
      }
      if !until.isEmpty { object["until"] = .object(until) }
    }
    if form.has("assignee") { object["assignee"] = form["assignee"].isEmpty ? .null : .string(form["assignee"]) }
    for name in ["merge_into", "split"] where !form[name].isEmpty { object[name] = .string(form[name]) }
    return .object(object)
  }

  private func bulk(_ request: Request, _ context: ServerContext) async throws -> Response {
    try context.require(.operate)
    let form = try await Form(request, context, services)
    let ids = form.all("id").compactMap { Int64($0) }
    guard !ids.isEmpty, ids.count <= IssueRoutes.mostAtOnce else { return PageRoutes.redirect("/issues") }
    let author = IssueRoutes.author(context, services)
    var change = IssueChange()
    switch form["action"] {
    case "assign-me": change.assignee = author.name
    case "merge":
      guard ids.count > 1 else { return PageRoutes.redirect("/issues") }
      change.mergeInto = ids[0]
    default:
      change = try IssueChange(.object(["state": .string(form["action"])] as JSONValue.Object), me: author.name)
    }
    _ = try await IssueRoutes.change(ids, change, by: author, services)
    return PageRoutes.redirect(change.mergeInto.map { "/issues/\($0)" } ?? "/issues")
  }
}
