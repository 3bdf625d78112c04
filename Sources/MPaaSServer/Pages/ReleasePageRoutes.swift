import Hummingbird
import MPaaSCrashReport
import MPaaSDatabase
import MPaaSSupport
import MPaaSTerminal

/// The pages of releases and of an app's health, and its numbers as CSV.
struct ReleasePageRoutes: ServerRoutes {
  private let services: ServerServices
  /// Seconds that devices and users are shown for.
  private static let devices: Int64 = 7 * 86_400

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/releases") { try await releases($0, $1) }
    pages.get("/apps/:app/health") { try await health($0, $1) }
    pages.get("/apps/:app/health.csv") { try await table($0, $1) }
  }

  private func pages(_ request: Request) -> ReleasePages { ReleasePages(frame: PageFrame(request, services)) }

  private func releases(_ request: Request, _ context: ServerContext) async throws -> Response {
    let parameters = request.uri.queryParameters
    let days = min(max(parameters["days"].flatMap { Int64($0) } ?? 7, 1), 365)
    let environment = parameters["environment"].map(String.init) ?? ""
    let (now, app) = (services.now(), context.grant?.app)
    let query = HealthQuery(
      app: app, from: Int64(now) - days * HealthInterval.day.width, to: Int64(now) + 1,
      environment: environment.isEmpty ? nil : environment)
    let found = try await services.store.read {
      try HealthStore.health(query, at: now, order: .newest, most: ReleasePages.most, in: $0)
    }
    let apps = try await services.access.allApps().filter { app == nil || $0.key == app }
    return PageRoutes.answer(
      pages(request).releases(
        found, apps: Dictionary(apps.map { ($0.key, $0.name) }) { $1 }, days: days, environment: environment))
  }

  private func health(_ request: Request, _ context: ServerContext) async throws -> Response {
    var asked = try asked(request, context)
    let now = services.now()
    let (query, interval, devices) = (asked.query, asked.interval, Int64(now) - Self.devices)
    (asked.points, asked.devices) = try await services.store.read { [app = asked.app] database in
      (
        try HealthStore.series(query, interval, in: database),
        try DeviceDays.counts(app: app, from: devices, to: Int64(now) + 1, in: database)
      )
    }
    return PageRoutes.answer(pages(request).health(asked))
  }

  /// The question of a page: of an app, by the minute for two hours, by the hour for two days, by the day for 90.
  private func asked(_ request: Request, _ context: ServerContext) throws -> ReleasePages.Health {
    let app = try services.app(inPathOf: context)
    let parameters = request.uri.queryParameters
    let interval = parameters["interval"].flatMap { HealthInterval(rawValue: String($0)) }
    let usual: Int64 =
      switch interval {
      case .minute: 2 * 3600
      case .hour, nil: 2 * 86_400
      case .day: 90 * 86_400
      }
    var query = try HealthQuery(app: app.key, now: services.now(), usual: usual) { name in
      name == "interval" && parameters["interval"] == nil
        ? HealthInterval.hour.rawValue : parameters[Substring(name)].map(String.init)
    }
    let shown = query.interval ?? .hour
    (query.from, query.to) = (shown.start(of: query.from), shown.end(of: query.to))
    return ReleasePages.Health(app: app.key, name: app.name, query: query, interval: shown)
  }

  private func table(_ request: Request, _ context: ServerContext) async throws -> Response {
    let asked = try asked(request, context)
    let (query, interval) = (asked.query, asked.interval)
    let points = try await services.store.read { try HealthStore.series(query, interval, in: $0) }
    let rows = points.map { point -> String in
      let (time, counts) = (CrashReport.Timestamp(seconds: point.start).text(digits: 0), point.counts)
      let numbers = [
        counts.sessions, counts.healthy, counts.errored, counts.unhandled, counts.abnormal, counts.crashed,
      ].map(String.init)
      return (["\(time.prefix(10))T\(time.dropFirst(11).prefix(8))Z"] + numbers + ["\(counts.crashRate)"])
        .joined(separator: ",") + "\r\n"
    }
    let head = "start,sessions,healthy,errored,unhandled,abnormal,crashed,crash_rate\r\n"
    return Response.bytes(
      Array((head + rows.joined()).utf8), "text/csv; charset=utf-8",
      headers: [
        .contentDisposition: "attachment; filename=\"health-\(interval.rawValue).csv\"", .cacheControl: "no-store",
      ])
  }
}
