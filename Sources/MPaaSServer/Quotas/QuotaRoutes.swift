import Hummingbird
import MPaaSProtocol

/// Quotas of apps and tokens, and what is used of them; the days and the bytes that things are kept for.
struct QuotaRoutes: ServerRoutes {
  private let services: ServerServices
  private let budget: DiskBudget
  private let retention: Retention

  init(_ services: ServerServices) {
    self.services = services
    budget = DiskBudget(services)
    retention = Retention(services)
  }

  func begin() async throws { try await services.quotas.begin(from: services.store, at: services.now()) }

  func tidy() async {
    await services.quotas.keep(in: services.store, at: services.now())
    guard await services.does(.budget) else { return }
    await retention.keep()
    await budget.keep()
  }

  func end() async { await services.quotas.keep(in: services.store, at: services.now(), isLast: true) }

  func follow(_ editions: Set<SharedEdition>) async throws {
    if editions.contains(.quotas) { try await services.quotas.readLimits(from: services.store) }
  }

  func add(to router: Router<ServerContext>) {
    let own = RouterPath(ConsolePaths.quotas)
    let ofToken = RouterPath(ConsolePaths.quotas + "/tokens/:id")
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get(own) { _, context in
      let app = try await app(context)
      return Response.json(Answer(app: app, report: report(QuotaMeter.subject(app: app))))
    }
    let admins = router.group().add(middleware: PermissionMiddleware(.admin, services))
    admins.put(own) { request, context in
      let limits: QuotaLimits = try await Wire.read(request, context, services, limit: Wire.few)
      let app = try await app(context)
      try await set(limits, of: QuotaMeter.subject(app: app), app, context)
      return Response.json(Answer(app: app, report: report(QuotaMeter.subject(app: app))))
    }
    admins.get(ofToken) { _, context in
      let token = try await token(context)
      return Response.json(Answer(token: token.id, report: report(QuotaMeter.subject(token: token.id))))
    }
    admins.put(ofToken) { request, context in
      let limits: QuotaLimits = try await Wire.read(request, context, services, limit: Wire.few)
      let token = try await token(context)
      try await set(limits, of: QuotaMeter.subject(token: token.id), token.app, context)
      return Response.json(Answer(token: token.id, report: report(QuotaMeter.subject(token: token.id))))
    }
  }

  private struct Answer: Encodable {
    var app: String?
    var token: String?
    var limits: QuotaLimits
    var used: [String: QuotaMeter.Report.Use]

    init(app: String? = nil, token: String? = nil, report: QuotaMeter.Report) {
      (self.app, self.token, limits, used) = (app, token, report.limits, report.used)
    }
  }

  private func report(_ subject: String) -> QuotaMeter.Report {
    services.quotas.report(of: subject, at: services.now())
  }

  private func app(_ context: ServerContext) async throws -> String {
    if let app = context.grant?.app { return app }
    return try await services.access.allApps().first?.key ?? ""
  }

  private func token(_ context: ServerContext) async throws -> Grant {
    try await TokenRoutes.grant(context.parameters.get("id") ?? "", context.grant, services)
  }

  private func set(_ limits: QuotaLimits, of subject: String, _ app: String?, _ context: ServerContext) async throws {
    try limits.check()
    try await services.quotas.set(limits, of: subject, in: services.store)
    let deed = AuditTrail.Deed(
      actor: context.grant?.name ?? "", action: "quota.changed", object: subject,
      detail: QuotaPeriod.allCases.map { Self.word($0, limits[$0]) }.joined(separator: " "), app: app)
    let now = services.now()
    try await services.store.write { try AuditTrail.add(deed, at: now, in: $0) }
  }

  private static func word(_ period: QuotaPeriod, _ amount: QuotaAmount?) -> String {
    "\(period.rawValue)=\(amount?.events.map { "\($0)" } ?? "-")/\(amount?.bytes.map { "\($0)" } ?? "-")"
  }
}
