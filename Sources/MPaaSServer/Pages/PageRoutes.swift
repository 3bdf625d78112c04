import HTTPTypes
import Hummingbird
import MPaaSCrash
import MPaaSCrashReport
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The pages for people: crashes, uploads, tasks, statistics; they work without scripts.
struct PageRoutes: ServerRoutes {
  private let services: ServerServices
  private let symbols: SymbolService
  private static let perPage = 50

  init(_ services: ServerServices) {
    self.services = services
    symbols = SymbolService(services)
  }

  func add(to router: Router<ServerContext>) {
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/") { try await groups($0, $1) }
    pages.get("/groups/:name") { try await group($0, $1) }
    pages.get("/crashes/:id") { try await crash($0, $1) }
    pages.get("/crashes/:id/event") { try await event($0, $1) }
    pages.get("/crashes/:id/report") { try await original($0, $1) }
    pages.get("/files") { try await uploads($0, $1) }
    pages.get("/tasks") { request, context in try await tasks(request, context, self.form()) }
    pages.get("/statistics") { try await statistics($0, $1) }
    pages.post("/tasks") { try await ask($0, $1) }
    pages.post("/tasks/:id/cancel") { try await cancel($0, $1) }
  }

  private func frame(_ request: Request) -> PageFrame { PageFrame(request, services) }

  /// A page; nothing of another origin is loaded into it, and no script runs.
  static func answer(_ page: String, status: HTTPResponse.Status = .ok) -> Response {
    Response.bytes(
      Array(page.utf8), "text/html; charset=utf-8", status: status,
      headers: [
        .contentSecurityPolicy:
          "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        .cacheControl: "no-store", .vary: "Accept-Language, Cookie",
      ])
  }

  static func redirect(_ path: String, _ headers: HTTPFields = [:]) -> Response {
    var headers = headers
    headers[.location] = path
    return Response(status: .seeOther, headers: headers)
  }

  private func groups(_ request: Request, _ context: ServerContext) async throws -> Response {
    let query = ListQuery(request, context, usual: Self.perPage)
    let groups = try await services.store.read { database in
      try CrashStore.groups(app: query.app, before: query.beforeTime, limit: query.limit, in: database)
    }
    return Self.answer(CrashPages(frame: frame(request)).groups(groups, hasMore: groups.count == query.limit))
  }

  private func group(_ request: Request, _ context: ServerContext) async throws -> Response {
    let name = PercentEncoding.decodeLeniently((context.parameters.get("name") ?? "").utf8)
    let query = ListQuery(request, context, usual: Self.perPage)
    let found = try await services.store.read { database -> (CrashGroupEntry, [CrashEntry])? in
      guard let group = try CrashStore.group(name, app: query.app, in: database) else { return nil }
      return (
        group,
        try CrashStore.crashes(
          group: group.id, app: query.app, before: query.beforeID, limit: query.limit, in: database)
      )
    }
    guard let (group, crashes) = found else { throw Refusal(.notFound, ["reason": "group"]) }
    return Self.answer(CrashPages(frame: frame(request)).group(group, crashes))
  }

  private func crash(_ request: Request, _ context: ServerContext) async throws -> Response {
    let id = try ListQuery.id(context)
    let app = context.grant?.app
    let found = try await services.store.read { database -> (CrashEntry, [IncomingCrash.Attachment], Int64?)? in
      guard let entry = try CrashStore.crash(id, app: app, in: database) else { return nil }
      let group = try CrashStore.group(entry.group, app: app, in: database)
      return (entry, try CrashStore.attachments(of: id, in: database), group?.id)
    }
    guard let (entry, attachments, group) = found, let report = try await symbols.report(of: id) else {
      throw Refusal(.notFound, ["reason": "crash \(id)"])
    }
    // Symbols may have come since the group got its name.
    if let group { await symbols.name(group, by: report) }
    if entry.format == "sentry", let event = try await event(of: id) {
      var subject = EventPages.Subject(entry: entry, event: event, attachments: attachments, issue: group)
      subject.calls = Self.calls(of: report)
      return Self.answer(EventPages(frame: frame(request)).event(subject, part: Self.part(request)))
    }
    return Self.answer(CrashPages(frame: frame(request)).crash(entry, report, attachments))
  }

  /// The calls at the addresses of a report, where they have names.
  private static func calls(of report: CrashReport) -> [UInt64: [CrashReport.Call]] {
    var calls: [UInt64: [CrashReport.Call]] = [:]
    for frame in report.threads.flatMap(\.frames) + report.lastExceptionBacktrace where !frame.calls.isEmpty {
      calls[frame.address] = frame.calls
    }
    return calls
  }

  private static func part(_ request: Request) -> Int { request.uri.queryParameters["part"].flatMap { Int($0) } ?? 1 }

  /// The event that a crash is, or that came beside its report; nil where there is none.
  private func event(of id: Int64, attached: String? = nil) async throws -> JSONValue.Object? {
    let bytes =
      if let attached { try await services.blobs.bytes(of: attached) } else { try await services.report(of: id) }
    return bytes?.withUnsafeBytes { try? JSONValue(reading: $0).object }
  }

  /// The event beside a report of another format.
  private func event(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (id, app) = (try ListQuery.id(context), context.grant?.app)
    let found = try await services.store.read { database -> (CrashEntry, [IncomingCrash.Attachment], Int64?)? in
      guard let entry = try CrashStore.crash(id, app: app, in: database) else { return nil }
      let group = try CrashStore.group(entry.group, app: app, in: database)
      return (entry, try CrashStore.attachments(of: id, in: database), group?.id)
    }
    guard let (entry, attachments, group) = found,
      let own = attachments.first(where: { $0.filename == SentryIntake.eventFile }),
      let event = try await event(of: id, attached: own.blob)
    else { throw Refusal(.notFound, ["reason": "crash \(id)"]) }
    let subject = EventPages.Subject(entry: entry, event: event, attachments: attachments, issue: group)
    return Self.answer(EventPages(frame: frame(request)).event(subject, part: Self.part(request)))
  }

  private func original(_ request: Request, _ context: ServerContext) async throws -> Response {
    let id = try ListQuery.id(context)
    guard let report = try await services.report(of: id, app: context.grant?.app) else {
      throw Refusal(.notFound, ["reason": "crash \(id)"])
    }
    return Response.bytes(
      report, "application/octet-stream", headers: [.contentDisposition: "attachment; filename=\"crash-\(id)\""])
  }

  private func uploads(_ request: Request, _ context: ServerContext) async throws -> Response {
    let query = ListQuery(request, context, usual: Self.perPage)
    let entries = try await services.store.read { try UploadList.newest(app: query.app, limit: query.limit, in: $0) }
    return Self.answer(OperatorPages(frame: frame(request)).uploads(entries))
  }

  private func tasks(
    _ request: Request, _ context: ServerContext, _ form: OperatorPages.TaskForm, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    var filter = TaskStore.Filter(app: context.grant?.app, limit: Self.perPage + 1)
    filter.before = request.uri.queryParameters["before"].map(String.init)
    let tasks = try await TaskRoutes.tasks(filter, services)
    let mayAsk = context.may(.collect)
    let page = OperatorPages(frame: frame(request)).tasks(
      Array(tasks.prefix(Self.perPage)), form, mayAsk: mayAsk, hasMore: tasks.count > Self.perPage)
    return Self.answer(page, status: status)
  }

  /// The last day, as the form proposes it.
  private func form() -> OperatorPages.TaskForm {
    func field(_ seconds: Double) -> String {
      let text = CrashReport.Timestamp(seconds: Int64(seconds)).text(digits: 0)
      return "\(text.prefix(10))T\(text.dropFirst(11).prefix(5))"
    }
    return OperatorPages.TaskForm(from: field(services.now() - 86_400), to: field(services.now()))
  }

  private func ask(_ request: Request, _ context: ServerContext) async throws -> Response {
    try context.require(.collect)
    let form = try await Form(request, context, services)
    func seconds(_ name: String) -> Double {
      let text = form[name].count == 16 ? form[name] + ":00" : form[name]
      return CrashReport.Timestamp(text).map { Double($0.seconds) } ?? .nan
    }
    let wish = TaskRoutes.Wish(
      user: form["user"], device: form["device"].isEmpty ? nil : form["device"], from: seconds("from"),
      to: seconds("to"), network: CollectionTask.Network(rawValue: form["network"]),
      types: form["types"].split { $0 == " " || $0 == "," }.map(String.init))
    do {
      _ = try await TaskRoutes.create(wish, context.grant?.app, services)
    } catch {
      guard let refusal = Refusal(any: error) else { throw error }
      services.counts.refused(refusal.error.code.id.name)
      var again = OperatorPages.TaskForm(
        user: form["user"], device: form["device"], from: form["from"], to: form["to"], types: form["types"])
      again.problem = frame(request).catalogue.sentence(refusal.error.code.id.name, refusal.error.values)
      return try await tasks(request, context, again, status: refusal.status)
    }
    return Self.redirect("/tasks")
  }

  private func cancel(_ request: Request, _ context: ServerContext) async throws -> Response {
    guard let grant = context.grant, grant.permits(.collect) else {
      throw Refusal(.scope, ["scope": Scope.collect.rawValue])
    }
    let id = context.parameters.get("id") ?? ""
    let now = services.now()
    _ = try await services.store.write {
      try TaskStore.change(id, app: grant.app, by: CollectionTaskChange(state: .cancelled), .operator, at: now, in: $0)
    }
    return Self.redirect("/tasks")
  }

  private func statistics(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (app, since) = (context.grant?.app, services.now() - 86_400)
    let versions = try await services.store.read { try AliveRoutes.versions(since: since, app: app, in: $0) }
    return Self.answer(
      OperatorPages(frame: frame(request)).statistics(services.counts.all, waiting: services.store.backlog, versions))
  }
}

/// Lets pass whose token permits reading; leads everybody else to where it is asked for.
struct LoginMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    do {
      context.grant = try await PermissionMiddleware.grant(of: request, .read, services, at: context.address)
    } catch let refusal as Refusal where refusal.status == .unauthorized && request.method == .get {
      return PageRoutes.redirect("/login")
    }
    let response = try await next(request, context)
    if let grant = context.grant { await services.note(request, grant, response.status) }
    return response
  }
}
