import HTTPTypes
import Hummingbird
import MPaaSDatabase
import MPaaSSupport
import MPaaSTerminal

/// Issues: what broke, searched, sorted and triaged.
struct IssueRoutes: ServerRoutes {
  private let services: ServerServices
  static let path = "/api/v1/issues"
  private static let usual = 25
  private static let most = 1000
  /// Issues that are changed by one request.
  static let mostAtOnce = 500
  /// Events that one transaction removes.
  private static let removedAtOnce = 500

  init(_ services: ServerServices) { self.services = services }

  func begin() async throws {
    let apps = try await services.access.allApps().map(\.key)
    try await StartStep.unlessFull { try await services.issues.begin(apps, services.store) }
  }

  func follow(_ editions: Set<SharedEdition>) async throws {
    // The memory of values and users goes by the number in each transaction.
    if editions.contains(.issues) { services.missing.forget() }
  }

  func tidy() async {
    guard await services.does(.upkeep) else { return }
    let now = services.now()
    let isOver = try? await services.store.read { database in
      try database.row("SELECT 1 FROM crash_groups WHERE wake IS NOT NULL AND wake <= ? LIMIT 1", [.real(now)]) { _ in
        true
      }
    }
    if isOver == true { try? await services.store.write { try IssueStore.wake(at: now, in: $0) } }
  }

  func add(to router: Router<ServerContext>) {
    let all = RouterPath(Self.path)
    let one = RouterPath(Self.path + "/:id")
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get(all) { try await list($0, $1) }
    readers.get(one) { try await detail($0, $1) }
    let writers = router.group().add(middleware: PermissionMiddleware(.operate, services))
    writers.patch(all) { try await changeSeveral($0, $1) }
    writers.patch(one) { try await change($0, $1) }
    writers.delete(one) { try await remove($0, $1) }
    writers.post(RouterPath(Self.path + "/:id/comments")) { try await comment($0, $1) }
  }

  private struct Page: Encodable {
    var issues: [IssueEntry]
    var next: String?

    enum CodingKeys: String, CodingKey { case issues, next }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(issues, forKey: .issues)
      try container.encode(next, forKey: .next)
    }
  }

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let parameters = Form(request.uri.query ?? "")
    let query = try await Self.query(parameters, context, services, catalogue: services.catalogue)
    let (entries, next) = try await services.store.read { try IssueStore.entries(query, in: $0) }
    return Response.json(Page(issues: entries, next: next?.text))
  }

  /// The query that an address has.
  ///
  /// - Throws: `SearchRefusal`; `server-bad-request` naming the parameter.
  static func query(
    _ parameters: Form, _ context: ServerContext, _ services: ServerServices, catalogue: Catalogue
  ) async throws -> IssueStore.Query {
    var query = IssueStore.Query(apps: try await apps(context, services), now: services.now())
    query.me = context.grant?.name ?? ""
    do throws(IssueSearchError) {
      query.search = try IssueSearchReader.read(parameters.whole("query"))
    } catch {
      throw SearchRefusal(error, catalogue)
    }
    let sort = parameters["sort"]
    guard
      let order = sort.isEmpty
        ? .lastSeen : IssueEntry.Sort(rawValue: sort.hasPrefix("-") ? String(sort.dropFirst()) : sort)
    else { throw Refusal(.badRequest, ["reason": "sort"]) }
    query.sort = order
    query.limit = usual
    if !parameters["limit"].isEmpty {
      guard let limit = Int(parameters["limit"]), limit > 0 else { throw Refusal(.badRequest, ["reason": "limit"]) }
      query.limit = min(limit, most)
    }
    if !parameters["cursor"].isEmpty {
      guard let cursor = IssueCursor(parameters["cursor"]) else { throw Refusal(.badRequest, ["reason": "cursor"]) }
      query.cursor = cursor
    }
    return query
  }

  /// The apps that a caller sees.
  static func apps(_ context: ServerContext, _ services: ServerServices) async throws -> [String] {
    if let app = context.grant?.app { return [app] }
    return try await services.access.allApps().map(\.key)
  }

  /// The number in the path; that of the issue that it was merged into, where it was.
  ///
  /// - Throws: `server-not-found`.
  static func id(_ context: ServerContext, _ services: ServerServices) async throws -> Int64 {
    guard let id = context.parameters.get("id", as: Int64.self) else { throw missing("") }
    let app = context.grant?.app
    return try await services.store.read { try IssueStore.target(of: id, app: app, in: $0) } ?? id
  }

  static func missing(_ id: String) -> Refusal { Refusal(.notFound, ["reason": "issue \(id)"]) }

  private func detail(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (id, app) = (try await Self.id(context, services), context.grant?.app)
    let found = try await services.store.read { try IssueStore.detail(id, app: app, in: $0) }
    guard let found else { throw Self.missing(String(id)) }
    return Response.json(found)
  }

  static func author(_ context: ServerContext, _ services: ServerServices) -> IssueStore.Author {
    IssueStore.Author(name: context.grant?.name ?? "", time: services.now(), app: context.grant?.app)
  }

  private func body(_ request: Request, _ context: ServerContext) async throws -> JSONValue {
    let body = try await RequestBodyReader.small(
      of: request, context, limit: Wire.few, limits: services.limits)
    guard let value = try? body.withUnsafeBytes({ try JSONValue(reading: $0) }) else {
      throw Refusal(.badRequest, ["reason": "JSON"])
    }
    return value
  }

  private func change(_ request: Request, _ context: ServerContext) async throws -> Response {
    let id = try await Self.id(context, services)
    let author = Self.author(context, services)
    let change = try IssueChange(try await body(request, context), me: author.name)
    let changed = try await services.store.write { database -> IssueDetail? in
      guard let id = try IssueStore.change(id, change, by: author, in: database) else { return nil }
      return try IssueStore.detail(id, app: author.app, in: database)
    }
    guard let changed else { throw Self.missing(String(id)) }
    return Response.json(changed)
  }

  private struct Several: Encodable {
    var changed: [String]
    var missing: [String]
  }

  private func changeSeveral(_ request: Request, _ context: ServerContext) async throws -> Response {
    let author = Self.author(context, services)
    let body = try await body(request, context)
    guard let names = body.object?["ids"]?.array, !names.isEmpty, names.count <= Self.mostAtOnce else {
      throw Refusal(.badRequest, ["reason": "ids"])
    }
    let ids = try names.map { try IssueChange.id($0, "ids") }
    let change = try IssueChange(body, me: author.name)
    let changed = try await Self.change(ids, change, by: author, services)
    return Response.json(
      Several(changed: changed.map { String($0) }, missing: ids.filter { !changed.contains($0) }.map { String($0) }))
  }

  /// Changes several issues in one transaction.
  ///
  /// - Returns: Those that are there.
  static func change(
    _ ids: [Int64], _ change: IssueChange, by author: IssueStore.Author, _ services: ServerServices
  ) async throws -> [Int64] {
    try await services.store.write { database in
      // Merged into one of them, that one stays as it is.
      try ids.filter { id in
        if change.mergeInto == id { return true }
        return try IssueStore.change(id, change, by: author, in: database) != nil
      }
    }
  }

  private func remove(_ request: Request, _ context: ServerContext) async throws -> Response {
    let id = try await Self.id(context, services)
    guard try await Self.remove(id, context, services) else { throw Self.missing(String(id)) }
    return Response(status: .noContent)
  }

  /// Removes an issue with all of its events, in steps between which others write; false where there is none.
  static func remove(_ id: Int64, _ context: ServerContext, _ services: ServerServices) async throws -> Bool {
    let (app, memory) = (context.grant?.app, services.issues)
    var isThere = false
    while true {
      let isLeft = try await services.store.write {
        try IssueStore.remove(id, app: app, atOnce: removedAtOnce, memory, in: $0)
      }
      guard let isLeft else { return isThere }
      isThere = true
      services.missing.forget()
      if !isLeft { return true }
    }
  }

  private func comment(_ request: Request, _ context: ServerContext) async throws -> Response {
    let id = try await Self.id(context, services)
    guard let text = try await body(request, context).object?["text"]?.string else { throw IssueChange.wrong("text") }
    let note = try await Self.comment(text, on: id, context, services)
    return Response.json(note, status: .created)
  }

  /// Adds a comment.
  ///
  /// - Throws: `server-not-found`; `server-bad-request` for an empty one.
  static func comment(
    _ text: String, on id: Int64, _ context: ServerContext, _ services: ServerServices
  ) async throws -> IssueNote {
    let author = author(context, services)
    guard text.contains(where: { !$0.isWhitespace }), text.utf8.count <= IssueNotes.longest * 4 else {
      throw IssueChange.wrong("text")
    }
    let note = try await services.store.write { database -> IssueNote? in
      guard let entry = try IssueStore.entry(id, app: author.app, in: database) else { return nil }
      return try IssueNotes.add(
        IssueNote(kind: "comment", text: text, author: author.name, time: author.time), to: id, app: entry.app,
        in: database)
    }
    guard let note else { throw missing(String(id)) }
    return note
  }
}

/// The answer to a search that cannot be read, with the place.
struct SearchRefusal: OwnResponse {
  let refusal: Refusal
  let position: Int
  private let message: String

  init(_ error: IssueSearchError, _ catalogue: Catalogue) {
    let reason = catalogue.text("text.search-\(error.reason.rawValue)")
    refusal = Refusal(.searchMalformed, ["position": String(error.position), "reason": reason])
    position = error.position
    message = catalogue.sentence(refusal.error.code.id.name, refusal.error.values)
  }

  private struct Body: Encodable {
    var code: String
    var message: String
    var position: Int
  }

  var response: Response {
    Response.json(
      Body(code: refusal.error.code.id.name, message: message, position: position), status: refusal.status)
  }
}

extension CodedError<ServerDomain>.Code {
  /// A search that cannot be read.
  static var searchMalformed: Self { .malformed("search-malformed") }
}
