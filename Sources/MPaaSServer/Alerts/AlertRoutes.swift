import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Alerts: rules, what came of their messages, and the work on them.
struct AlertRoutes: ServerRoutes {
  private let services: ServerServices
  private let sender: AlertSender
  /// The fault in the file about mail, which ends the start.
  private let problem: ServerError?

  static let mostDeliveries = 200

  init(_ services: ServerServices) {
    self.services = services
    var (mail, problem): (MailSettings?, ServerError?) = (nil, nil)
    if let file = services.configuration.mail {
      do throws(ServerError) { mail = try MailSettings(file) } catch { problem = error }
    }
    self.problem = problem
    sender = AlertSender(services, mail: mail)
  }

  func begin() async throws { if let problem { throw problem } }

  func tidy() async {
    if await services.does(.alerts) { try? await AlertWatch(services).look() }
  }

  func work() { sender.begin() }

  func end() async { await sender.end() }

  func add(to router: Router<ServerContext>) {
    let (all, one) = (RouterPath(ConsolePaths.alerts), ConsolePaths.alerts + "/:id")
    // The address of a webhook is as good as a password: who only reads does not see it.
    let writers = router.group().add(middleware: PermissionMiddleware(.operate, services))
    writers.get(all) { _, context in
      Response.json(AlertPage(alerts: try await Self.list(context.grant?.app, services)))
    }
    writers.get(RouterPath(one)) { _, context in
      let rule = try await Self.rule(context, services)
      return Response.json(rule.entry(firing: try await firing(rule)))
    }
    writers.get(RouterPath(one + "/deliveries")) { _, context in
      let rule = try await Self.rule(context, services)
      return Response.json(AlertDeliveryPage(deliveries: try await Self.deliveries(rule, services)))
    }
    writers.post(all) { request, context in
      let wish: AlertWish = try await Wire.read(request, context, services, limit: Wire.few)
      return Response.json(
        try await Self.make(wish, context, services).entry(firing: 0, tells: true), status: .created)
    }
    writers.patch(RouterPath(one)) { request, context in
      let wish: AlertWish = try await Wire.read(request, context, services, limit: Wire.few)
      let rule = try await Self.change(wish, context, services)
      return Response.json(rule.entry(firing: try await firing(rule), tells: wish.to != nil))
    }
    writers.delete(RouterPath(one)) { _, context in
      try await Self.remove(context, services)
      return Response(status: .noContent)
    }
    writers.post(RouterPath(one + "/test")) { _, context in
      try await Self.test(context, services)
      return Response(status: .accepted)
    }
  }

  private func firing(_ rule: AlertRule) async throws -> Int64 {
    try await services.store.read { try AlertStore.firing(rule, in: $0) }
  }

  static func list(_ app: String?, _ services: ServerServices) async throws -> [AlertEntry] {
    try await services.store.read { database in
      try AlertStore.rules(app: app, in: database).map { $0.entry(firing: try AlertStore.firing($0, in: database)) }
    }
  }

  static func deliveries(_ rule: AlertRule, _ services: ServerServices) async throws -> [AlertDelivery] {
    try await services.store.read { try AlertStore.deliveries(rule, limit: mostDeliveries, in: $0) }
  }

  /// The rule that the path names.
  ///
  /// - Throws: `server-not-found` where there is none that the caller sees.
  static func rule(_ context: ServerContext, _ services: ServerServices) async throws -> AlertRule {
    let (id, app) = (context.parameters.get("id") ?? "", context.grant?.app)
    guard let rule = try await services.store.read({ try AlertStore.rule(id, app: app, in: $0) }) else {
      throw Refusal(.notFound, ["reason": "alert \(id.prefix(100))"])
    }
    return rule
  }

  static func make(
    _ wish: AlertWish, _ context: ServerContext, _ services: ServerServices
  ) async throws -> AlertRule {
    guard wish.name != nil else { throw AlertRules.wrong("name") }
    guard wish.when != nil else { throw AlertRules.wrong("when") }
    guard wish.to != nil else { throw AlertRules.wrong("to") }
    let app = try await app(wish.app, context, services)
    let blank = AlertRule(
      id: Access.randomBytes(8).hexadecimal, app: app, name: "", when: AlertWhen(), to: [], isEnabled: true,
      author: context.grant?.name ?? "", created: services.now())
    let rule = try AlertRules.changed(
      blank, by: wish, allowsPrivate: services.configuration.allowsPrivateWebhooks)
    try await keep(rule, "alert.created", context, services)
    return rule
  }

  private static func app(
    _ word: String?, _ context: ServerContext, _ services: ServerServices
  ) async throws -> String {
    let own = context.grant?.app
    guard let word else {
      if let own { return own }
      return try await services.access.allApps().first?.key ?? ""
    }
    guard let app = services.access.app(named: word)?.key, own == nil || own == app else {
      throw Refusal(.badRequest, ["reason": "app"])
    }
    return app
  }

  static func change(
    _ wish: AlertWish, _ context: ServerContext, _ services: ServerServices
  ) async throws -> AlertRule {
    let rule = try AlertRules.changed(
      try await rule(context, services), by: wish, allowsPrivate: services.configuration.allowsPrivateWebhooks)
    try await keep(rule, "alert.changed", context, services)
    return rule
  }

  private static func keep(
    _ rule: AlertRule, _ action: String, _ context: ServerContext, _ services: ServerServices
  ) async throws {
    let (now, deed) = (services.now(), deed(action, rule, context))
    try await services.store.write { database in
      let isKnown = try AlertStore.rule(rule.id, app: rule.app, in: database) != nil
      guard try isKnown || AlertStore.count(app: rule.app, in: database) < AlertStore.most else {
        throw AlertRules.wrong("alerts")
      }
      try AlertStore.keep(rule, in: database)
      try AuditTrail.add(deed, at: now, in: database)
    }
  }

  private static func deed(_ action: String, _ rule: AlertRule, _ context: ServerContext) -> AuditTrail.Deed {
    AuditTrail.Deed(
      actor: context.grant?.name ?? "", action: action, object: "\(rule.id) \(rule.name)",
      detail: rule.when.word ?? "", app: rule.app)
  }

  static func remove(_ context: ServerContext, _ services: ServerServices) async throws {
    let rule = try await rule(context, services)
    let (now, deed) = (services.now(), deed("alert.removed", rule, context))
    try await services.store.write { database in
      try AlertStore.remove(rule, in: database)
      try AuditTrail.add(deed, at: now, in: database)
    }
  }

  /// Sends each receiver of a rule a message that says that it is a test.
  static func test(_ context: ServerContext, _ services: ServerServices) async throws {
    let rule = try await rule(context, services)
    let (now, deed) = (services.now(), deed("alert.tested", rule, context))
    try await services.store.write { database in
      let message = AlertMessage(
        kind: .test, time: now, rule: rule.id, name: rule.name, app: rule.app,
        appName: try AlertStore.appName(rule.app, in: database), condition: rule.when.word ?? "", subjects: [],
        count: 0)
      try AlertStore.send(message, by: rule, at: now, in: database)
      try AuditTrail.add(deed, at: now, in: database)
    }
  }
}
