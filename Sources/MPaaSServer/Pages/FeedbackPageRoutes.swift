import HTTPTypes
import Hummingbird
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

/// The pages of feedback: the list with its filter, one piece with replies, and files of all.
struct FeedbackPageRoutes: ServerRoutes {
  private let services: ServerServices
  private static let perPage = 50

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let pages = router.group().add(middleware: LoginMiddleware(services))
    pages.get("/feedback") { try await list($0, $1) }
    pages.get("/feedback/export") { request, context in
      let format = request.uri.queryParameters["format"].flatMap { FeedbackExport(rawValue: String($0)) } ?? .csv
      return format.response(Self.filter(request, context), services)
    }
    pages.get("/feedback/:id") { request, context in
      let entry = try await entry(context)
      return PageRoutes.answer(page(request).entry(entry, mayAnswer: context.may(.operate)))
    }
    pages.post("/feedback/:id") { try await answer($0, $1) }
  }

  private func page(_ request: Request) -> FeedbackPages { FeedbackPages(frame: PageFrame(request, services)) }

  /// The filter of a form, in whose addresses blanks are plus signs.
  private static func filter(_ request: Request, _ context: ServerContext) -> FeedbackStore.Filter {
    let form = Form(request.uri.query ?? "")
    func word(_ name: String) -> String? { form[name].isEmpty ? nil : form[name] }
    return FeedbackStore.Filter(
      app: context.grant?.app, state: FeedbackState(rawValue: form["state"]), category: word("category"),
      user: word("user"), text: word("text"), before: Int64(form["before"]))
  }

  /// The filter as addresses have it, each part with `&` behind it.
  private static func query(_ filter: FeedbackStore.Filter) -> String {
    [
      ("state", filter.state?.rawValue), ("category", filter.category), ("user", filter.user), ("text", filter.text),
    ].compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encode($0))&" } }.joined()
  }

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    var filter = Self.filter(request, context)
    filter.limit = Self.perPage + 1
    let asked = filter
    let (entries, categories) = try await services.store.read { database in
      (
        try FeedbackStore.entries(asked, in: database), try FeedbackStore.categories(app: asked.app, in: database)
      )
    }
    return PageRoutes.answer(
      page(request).list(
        Array(entries.prefix(Self.perPage)), filter, categories, query: Self.query(filter),
        hasMore: entries.count > Self.perPage))
  }

  private func entry(_ context: ServerContext) async throws -> FeedbackEntry {
    let (number, app) = (try ListQuery.id(context), context.grant?.app)
    let found = try await services.store.read { try FeedbackStore.entry(number, app: app, in: $0) }
    guard let found else { throw FeedbackRoutes.missing(number) }
    return found
  }

  private func answer(_ request: Request, _ context: ServerContext) async throws -> Response {
    try context.require(.operate)
    let (entry, form) = (try await entry(context), try await Form(request, context, services))
    let text = form["text"]
    let state = FeedbackState(rawValue: form["state"]) ?? .answered
    // A state of its own needs no words; a reply does.
    let answer = FeedbackAnswer(
      text: text.isEmpty ? nil : text, state: text.isEmpty && state == .answered ? nil : state)
    do {
      _ = try await FeedbackRoutes.answer(entry.number, answer, context, services)
    } catch {
      guard let refusal = Refusal(any: error) else { throw error }
      services.counts.refused(refusal.error.code.id.name)
      let page = page(request)
      let problem = page.frame.catalogue.sentence(refusal.error.code.id.name, refusal.error.values)
      return PageRoutes.answer(
        page.entry(entry, mayAnswer: true, draft: text, problem: problem), status: refusal.status)
    }
    return PageRoutes.redirect("/feedback/\(entry.number)")
  }
}
