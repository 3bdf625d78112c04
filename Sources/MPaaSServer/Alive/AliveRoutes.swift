import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// The table of alive reports.
enum AliveTables {
  static let first = """
    CREATE TABLE alive_reports (
      app TEXT NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, version TEXT NOT NULL, device TEXT NOT NULL, user TEXT,
      system TEXT, time REAL NOT NULL, received REAL NOT NULL, PRIMARY KEY (app, id)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX alive_reports_received ON alive_reports (received);
    """
}

/// Takes alive reports, each once, and says how many devices run which version.
struct AliveRoutes: ServerRoutes {
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    router.post("/api/v1/alive") { try await take($0, $1) }
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get("/api/v1/alive") { try await list($0, $1) }
  }

  private func take(_ request: Request, _ context: ServerContext) async throws -> Response {
    let sender = try await Sender(request, context, services)
    let report: AliveReport = try await Wire.read(request, context, services, limit: Wire.few)
    guard !report.id.isEmpty, report.id.utf8.count <= 200, report.time.isFinite else {
      throw Refusal(.badRequest, ["reason": "id, time"])
    }
    let moment = services.now()
    let isNew = try await services.store.write { database in
      try database.run(
        "INSERT INTO alive_reports VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        [
          .text(sender.app), .text(report.id), .text(report.app), .text(report.version), .text(report.device),
          .optional(report.user), .optional(report.system), .real(report.time), .real(moment),
        ])
      guard database.changes > 0 else { return false }
      try AliveSessions.store(report, app: sender.app, at: moment, in: database)
      return true
    }
    if isNew { services.counts.accepted("alive") } else { services.counts.duplicate("alive") }
    return Response.json(Receipt(id: report.id, duplicate: !isNew), status: isNew ? .created : .ok)
  }

  /// Devices by version since a time: `since`, in seconds since 1970; a day ago where it is not given.
  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let since = request.uri.queryParameters["since"].flatMap { Double($0) } ?? services.now() - 86_400
    let app = context.grant?.app
    let versions = try await services.store.read { try Self.versions(since: since, app: app, in: $0) }
    return Response.json(["versions": versions])
  }

  /// The number of devices that a version runs on.
  struct VersionCount: Codable, Sendable, Equatable {
    var app: String
    var version: String
    var devices: Int64
    var reports: Int64
    /// Seconds since 1970.
    var last: Double
  }

  static func versions(since: Double, app: String?, in database: any SQLDatabase) throws -> [VersionCount] {
    try database.rows(
      """
      SELECT name, version, count(DISTINCT device), count(*), max(received) FROM alive_reports
      WHERE received >= ?1 AND (?2 IS NULL OR app = ?2) GROUP BY name, version ORDER BY 3 DESC, 1, 2 LIMIT 1000
      """, [.real(since), .optional(app)]
    ) {
      VersionCount(
        app: $0.text(0), version: $0.text(1), devices: $0.integer(2), reports: $0.integer(3), last: $0.real(4))
    }
  }
}
