import HTTPTypes
import Hummingbird
import MPaaSDatabase
import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport

/// Feedback: devices send it, each piece once, and ask for replies; operators list, answer, close and export.
struct FeedbackRoutes: ServerRoutes {
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let all = RouterPath(ServerPaths.feedback)
    router.post(all) { try await take($0, $1) }
    router.get(RouterPath(ServerPaths.feedbackReplies)) { try await replies($0, $1) }
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get(all) { request, context in
      let filter = Self.filter(request, context, usual: 100)
      let entries = try await services.store.read { try FeedbackStore.entries(filter, in: $0) }
      return Response.json(FeedbackPage(feedback: entries))
    }
    readers.get(RouterPath(ServerPaths.feedback + "/:id")) { request, context in
      let (number, app) = (try ListQuery.id(context), context.grant?.app)
      let found = try await services.store.read { try FeedbackStore.entry(number, app: app, in: $0) }
      guard let found else { throw Self.missing(number) }
      return Response.json(found)
    }
    readers.get(RouterPath(ServerPaths.feedbackExport)) { request, context in
      let format = request.uri.queryParameters["format"].map(String.init) ?? "csv"
      guard let export = FeedbackExport(rawValue: format) else { throw Refusal(.badRequest, ["reason": "format"]) }
      return export.response(Self.filter(request, context, usual: 100), services)
    }
    router.group().add(middleware: PermissionMiddleware(.operate, services))
      .post(RouterPath(ServerPaths.feedback + "/:id/messages")) { request, context in
        let answer: FeedbackAnswer = try await Wire.read(
          request, context, services, limit: FeedbackRules.largestReport)
        return Response.json(try await Self.answer(try ListQuery.id(context), answer, context, services))
      }
  }

  private func take(_ request: Request, _ context: ServerContext) async throws -> Response {
    let sender = try await Sender(request, context, services)
    let body = try await RequestBodyReader.small(
      of: request, context, limit: FeedbackRules.largestReport, limits: services.limits)
    let report: FeedbackReport = try Wire.value(body)
    try FeedbackRules.check(report)
    let (owner, tasks, now) = (report.secret.utf8.sha256, services.limits.tasks, services.now())
    let receipt = try await services.store.write {
      try FeedbackStore.take(report, app: sender.app, owner: owner, tasks: tasks, at: now, in: $0)
    }
    if receipt.duplicate {
      services.counts.duplicate("feedback")
    } else {
      services.counts.accepted("feedback", bytes: Int64(body.count))
    }
    return Response.json(receipt, status: receipt.duplicate ? .ok : .created)
  }

  private func replies(_ request: Request, _ context: ServerContext) async throws -> Response {
    let sender = try await Sender(request, context, services)
    guard let field = HTTPField.Name(FeedbackReplies.secretField), let secret = request.headers[field] else {
      throw Refusal(.badRequest, ["reason": FeedbackReplies.secretField])
    }
    let after = request.uri.queryParameters["after"].flatMap { Int64($0) } ?? 0
    let owner = secret.utf8.sha256
    let replies = try await services.store.read {
      try FeedbackStore.replies(app: sender.app, owner: owner, after: after, in: $0)
    }
    return Response.json(replies, headers: [.cacheControl: "no-store"])
  }

  /// The conditions that a request's address names; empty ones are none.
  static func filter(_ request: Request, _ context: ServerContext, usual: Int) -> FeedbackStore.Filter {
    let query = ListQuery(request, context, usual: usual)
    let parameters = request.uri.queryParameters
    func word(_ name: String) -> String? { parameters[name[...]].flatMap { $0.isEmpty ? nil : String($0) } }
    return FeedbackStore.Filter(
      app: query.app, state: word("state").flatMap(FeedbackState.init(rawValue:)), category: word("category"),
      user: word("user"), text: word("text"), before: query.beforeID, limit: query.limit)
  }

  /// Keeps an answer of the caller.
  ///
  /// - Throws: `Refusal` `server-not-found`, `server-bad-request`.
  static func answer(
    _ number: Int64, _ answer: FeedbackAnswer, _ context: ServerContext, _ services: ServerServices
  ) async throws -> FeedbackEntry {
    try FeedbackRules.check(answer)
    let (app, author, now) = (context.grant?.app, context.grant?.name ?? "", services.now())
    let entry = try await services.store.write {
      try FeedbackStore.answer(number, app: app, answer, author: author, at: now, in: $0)
    }
    guard let entry else { throw missing(number) }
    services.counts.accepted("feedback-reply")
    return entry
  }

  static func missing(_ number: Int64) -> Refusal { Refusal(.notFound, ["reason": "feedback \(number)"]) }
}
