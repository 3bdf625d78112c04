import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The page of how an app's runs ended, version by version.
struct TerminationPages: ServerRoutes {
  private let services: ServerServices
  /// The most versions of a page.
  private static let most = 50

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/apps/:app/terminations") { try await show($0, $1) }
  }

  private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
    let app = try services.app(inPathOf: context)
    let days = TerminationRoutes.days(request.uri.queryParameters["days"].map(String.init))
    let start = Int64(services.now()) - days * HealthInterval.day.width
    let rows = try await services.store.read { try TerminationCounts.rows(app: app.key, since: start, in: $0) }
    let frame = PageFrame(request, services)
    return PageRoutes.answer(
      frame.page(
        frame.word("terminations-of", ["app": app.name]), section: "releases",
        [
          "<p>\(frame.text("terminations-days", ["count": String(days)]))</p>",
          rows.isEmpty ? frame.empty("no-terminations") : Self.table(rows, frame),
          "<p>\(HTML.link(ReleasePages.path(app.key), frame.word("health-of", ["app": app.name])))</p>",
        ]))
  }

  /// A row for each version, a column for each reason that there is.
  private static func table(_ rows: [TerminationCounts.Row], _ frame: PageFrame) -> String {
    var versions: [String: [String: Int64]] = [:]
    for row in rows { versions[row.version, default: [:]][row.reason] = row.count }
    let sums = versions.map { (version: $0.key, counts: $0.value, all: $0.value.values.reduce(0, +)) }
    let shown = sums.sorted { ($1.all, $0.version) < ($0.all, $1.version) }.prefix(most)
    let reasons = (TerminationReport.reasons + [TerminationCounts.other]).filter { reason in
      shown.contains { $0.counts[reason] != nil }
    }
    let head = [frame.word("column-version"), frame.word("column-ends")] + reasons.map { frame.word("end-\($0)") }
    return HTML.table(
      head,
      shown.map { version in
        [HTML.escaped(version.version), "<span class=n>\(version.all)</span>"]
          + reasons.map { "<span class=n>\(version.counts[$0] ?? 0)</span>" }
      })
  }
}
