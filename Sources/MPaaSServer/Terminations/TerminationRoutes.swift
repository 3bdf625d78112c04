import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Takes how runs ended, each once, and says how many of each version ended for which reason.
struct TerminationRoutes: ServerRoutes {
  private let services: ServerServices
  private let upkeep = PeriodicTurn(every: 3600)

  /// Days that an answer is about where none are asked for.
  static let usualDays: Int64 = 30

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    router.post("/api/v1/terminations") { try await take($0, $1) }
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get("/api/v1/terminations") { try await list($0, $1) }
  }

  func tidy() async {
    guard await services.does(.upkeep) else { return }
    let now = services.now()
    // A removal that fails is tried again the next time.
    if upkeep.take(at: now) { try? await services.store.write { try TerminationCounts.free(at: now, in: $0) } }
  }

  private func take(_ request: Request, _ context: ServerContext) async throws -> Response {
    let sender = try await Sender(request, context, services)
    let report: TerminationReport = try await Wire.read(request, context, services, limit: Wire.few)
    guard !report.id.isEmpty, report.id.utf8.count <= 200, !report.version.isEmpty, report.time.isFinite else {
      throw Refusal(.badRequest, ["reason": "id, version, time"])
    }
    let moment = services.now()
    let isNew = try await services.store.write { database in
      guard try TerminationCounts.add(report, app: sender.app, at: moment, in: database) else { return false }
      if let run = Self.run(report, app: sender.app, at: moment) { _ = try PatchBatch.store([run], in: database) }
      return true
    }
    if isNew { services.counts.accepted("termination") } else { services.counts.duplicate("termination") }
    return Response.json(Receipt(id: report.id, duplicate: !isNew), status: isNew ? .created : .ok)
  }

  /// The run that ended, under its patches; nil where the report does not name them, or is too old.
  private static func run(_ report: TerminationReport, app: String, at moment: Double) -> PatchBatch.Run? {
    guard let device = report.device, !device.isEmpty, let patches = PatchLabel.all(report.patches),
      report.time.magnitude < 1e15
    else { return nil }
    let started = min(Int64(report.time), Int64(moment))
    guard started >= Int64(moment) - SessionReader.lateness else { return nil }
    return PatchBatch.Run(
      app: app, identity: SessionReader.cut(report.app), device: device, patches: patches, started: started,
      hasCrashed: TerminationReport.crashes.contains(report.reason))
  }

  /// The ends by version and reason of the last `days`.
  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let parameters = request.uri.queryParameters
    let days = Self.days(parameters["days"].map(String.init))
    let app = context.grant?.app ?? parameters["app"].map(String.init)
    let start = Int64(services.now()) - days * HealthInterval.day.width
    let rows = try await services.store.read { try TerminationCounts.rows(app: app, since: start, in: $0) }
    return Response.json(["terminations": rows], headers: [.cacheControl: "no-store"])
  }

  static func days(_ text: String?) -> Int64 { min(max(text.flatMap { Int64($0) } ?? usualDays, 1), 400) }
}
