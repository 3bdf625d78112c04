import HTTPTypes
import Hummingbird
import MPaaSDatabase
import MPaaSDigests
import MPaaSProtocol
import MPaaSSupport

/// Takes crash reports, of our own senders and of Sentry's, and lists them.
struct CrashRoutes: ServerRoutes {
  let services: ServerServices
  private let crashes: CrashIntake
  let sentry: SentryIntake
  private let symbols: SymbolService
  private let late: LateSymbols

  init(_ services: ServerServices) {
    self.services = services
    crashes = CrashIntake(services)
    sentry = SentryIntake(crashes)
    symbols = SymbolService(services)
    late = LateSymbols(services, symbols)
  }

  func begin() async throws {
    try await crashes.begin()
    if await services.does(.regrouping) { try await Regrouping(crashes).begin() }
  }

  func tidy() async {
    // Reports that are being read by the old rules now are stored long before the next time.
    let regrouping = Regrouping(crashes)
    let regroups = await services.does(.regrouping)
    if regroups { _ = try? await regrouping.run(for: .seconds(3)) }
    if let code = services.rules.tidy() { services.counts.refused(code) }
    if regroups {
      try? await regrouping.begin()
      try? await BaseRetirement(services: services).run()
    }
    for (group, crash) in crashes.services.unnamed.take(8) { await symbols.name(group, by: crash) }
    if await services.does(.symbols) { await late.look(for: .seconds(3)) }
  }

  static func publication(_ services: ServerServices) -> ServerServices.Publication? {
    let crashes = CrashIntake(services)
    return { upload in upload.kind == "crash" ? try crashes.publication(upload) : nil }
  }

  func add(to router: Router<ServerContext>) {
    router.post("/api/v1/crashes") { try await report($0, $1) }
    for project in ["/api/:project/envelope", "/api/:project/store"] {
      let isEnvelope = project.hasSuffix("envelope")
      router.post(RouterPath(project)) { request, context in
        try await SentryAnswer.of {
          isEnvelope ? try await envelope(request, context) : try await event(request, context)
        }
      }
      router.on(RouterPath(project), method: .options) { _, _ in Self.preflight }
    }
    router.post("/api/:project/minidump") { request, context in
      try await SentryAnswer.of { try await minidump(request, context) }
    }
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get("/api/v1/crashes") { try await list($0, $1) }
    readers.get("/api/v1/crashes/:id") { try await one($0, $1) }
    readers.get("/api/v1/crashes/:id/report") { try await original($0, $1) }
    readers.get("/api/v1/crash-groups") { try await groups($0, $1) }
  }

  /// One report of any format.
  private func report(_ request: Request, _ context: ServerContext) async throws -> Response {
    let sender = try await Sender(request, context, services)
    let expected = Self.digest(of: request)
    let prepared = try await prepared(request, context, sender) { bytes throws(ServerError) in
      if let expected { try Self.verify(bytes, expected) }
      return try crashes.prepare(bytes, app: sender.app)
    }
    let stored = try await crashes.store(prepared)
    let receipt = Receipt(
      id: prepared.crash.summary.event, duplicate: stored.isDuplicate, group: stored.group,
      sha256: expected?.hexadecimal, size: Int64(prepared.crash.size))
    return Response.json(receipt, status: stored.isDuplicate ? .ok : .created)
  }

  /// The SHA-256 that a report must have (RFC 9530); of one that comes encoded it would not be the report's own.
  private static func digest(of request: Request) -> [UInt8]? {
    let encoding = request.headers[.contentEncoding]?.lowercased() ?? "identity"
    return encoding == "identity" ? UploadHeaders.digest(request.headers[.reprDigest], "sha-256") : nil
  }

  private static func verify(_ bytes: UnsafeRawBufferPointer, _ expected: [UInt8]) throws(ServerError) {
    let found = bytes.sha256
    guard found != expected else { return }
    throw ServerError(.digestMismatch, ["expected": expected.hexadecimal, "found": found.hexadecimal])
  }

  private func envelope(_ request: Request, _ context: ServerContext) async throws -> Response {
    // The token's owner is as good as a key; who brings neither is known by the first line of the envelope alone.
    let isKnown = Sender.key(of: request) != nil || Credential(request) != nil
    let sender = isKnown ? try await Sender(request, context, services) : nil
    let prepared = try await prepared(request, context, sender)
    _ = try await sentry.store(prepared)
    // Sessions count though their events are refused.
    if let refusal = prepared.refusal { throw refusal }
    return Self.answer(prepared.event)
  }

  /// The body is gone before it is waited for the disk: many may wait there.
  private func prepared(
    _ request: Request, _ context: ServerContext, _ early: Sender?
  ) async throws -> SentryIntake.Prepared {
    var sender = early
    let body: [UInt8]
    if early != nil {
      body = try await RequestBodyReader.all(
        of: request, context, limit: services.limits.report, limits: services.limits)
    } else {
      body = try await RequestBodyReader.all(
        of: request, context, limit: services.limits.report, limits: services.limits
      ) { begin, decoding in
        guard let line = decoding.firstLine(of: begin, most: RequestBodyReader.longestBegin) else { return false }
        sender = try await Sender(request, context, services, key: SentryEnvelope.key(ofFirstLine: line))
        return true
      }
    }
    defer { context.body.hold?.release() }
    let envelope = try body.withUnsafeBytes { bytes throws(ServerError) in try SentryEnvelope(bytes) }
    if sender == nil { sender = try await Sender(request, context, services, key: envelope.key) }
    var app = sender?.app ?? ""
    // A key in the envelope counts only where the request itself has none.
    if Sender.key(of: request) == nil, let key = envelope.key {
      guard let named = services.access.app(forKey: key) else { throw Refusal(.appKey) }
      app = named.key
    }
    do {
      if SentryIntake.isCounted(envelope) {
        let subjects = [QuotaMeter.subject(app: app)] + (sender?.quota.dropFirst() ?? [])
        try await services.quotas.take(subjects, bytes: Int64(body.count), at: services.now(), in: services.store)
      }
    } catch let refusal as Refusal {
      return body.withUnsafeBytes { sentry.sessions($0, envelope, app: app, refusal: refusal) }
    }
    return try body.withUnsafeBytes { bytes throws(ServerError) in try sentry.prepare(bytes, envelope, app: app) }
  }

  private func event(_ request: Request, _ context: ServerContext) async throws -> Response {
    let sender = try await Sender(request, context, services)
    let prepared = try await prepared(request, context, sender) { bytes throws(ServerError) in
      try crashes.prepare(bytes, app: sender.app, isEvent: true)
    }
    _ = try await crashes.store(prepared)
    return Self.answer(prepared.crash.summary.event)
  }

  /// The body is gone before it is waited for the disk: many may wait there.
  private func prepared(
    _ request: Request, _ context: ServerContext, _ sender: Sender,
    _ prepare: (UnsafeRawBufferPointer) throws(ServerError) -> CrashIntake.Prepared
  ) async throws -> CrashIntake.Prepared {
    // What would be refused in any case need not be read.
    if let refusal = services.quotas.refusal(sender.quota, at: services.now()) { throw refusal }
    let body = try await RequestBodyReader.all(
      of: request, context, limit: services.limits.report, limits: services.limits)
    defer { context.body.hold?.release() }
    try await services.quotas.take(sender.quota, bytes: Int64(body.count), at: services.now(), in: services.store)
    return try body.withUnsafeBytes { bytes throws(ServerError) in try prepare(bytes) }
  }

  private static func answer(_ event: String?) -> Response {
    let text = event.map { "{\"id\":\"\($0)\"}" } ?? "{}"
    return Response.bytes(Array(text.utf8), "application/json")
  }

  private static let preflight = Response(
    status: .noContent,
    headers: [
      .accessControlAllowOrigin: "*", .accessControlAllowMethods: "POST",
      .accessControlAllowHeaders: "Content-Type, Content-Encoding, X-Sentry-Auth", .accessControlMaxAge: "86400",
    ])

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let query = ListQuery(request, context)
    let name = request.uri.queryParameters["group"].map(String.init)
    let entries = try await services.store.read { database -> [CrashEntry] in
      var group: Int64?
      if let name {
        guard let found = try CrashStore.group(name, app: query.app, in: database) else { return [] }
        group = found.id
      }
      return try CrashStore.crashes(
        group: group, app: query.app, before: query.beforeID, limit: query.limit, in: database)
    }
    return Response.json(["crashes": entries])
  }

  private func groups(_ request: Request, _ context: ServerContext) async throws -> Response {
    let query = ListQuery(request, context)
    let entries = try await services.store.read { database in
      try CrashStore.groups(app: query.app, before: query.beforeTime, limit: query.limit, in: database)
    }
    return Response.json(["groups": entries])
  }

  private func one(_ request: Request, _ context: ServerContext) async throws -> Response {
    let id = try ListQuery.id(context)
    let app = context.grant?.app
    let entry = try await services.store.read { try CrashStore.crash(id, app: app, in: $0) }
    guard let entry else { throw Refusal(.notFound, ["reason": "crash \(id)"]) }
    return Response.json(entry)
  }

  private func original(_ request: Request, _ context: ServerContext) async throws -> Response {
    let id = try ListQuery.id(context)
    guard let report = try await services.report(of: id, app: context.grant?.app) else {
      throw Refusal(.notFound, ["reason": "crash \(id)"])
    }
    return Response.bytes(report, "application/octet-stream")
  }
}

/// The parameters of a list: `limit`, `before`, and the app that the token is limited to.
struct ListQuery: Sendable {
  let app: String?
  let limit: Int
  let beforeID: Int64?
  let beforeTime: Double?
  private static let most = 1000

  init(_ request: Request, _ context: ServerContext, usual: Int = 100) {
    let parameters = request.uri.queryParameters
    app = context.grant?.app
    limit = min(max(parameters["limit"].flatMap { Int($0) } ?? usual, 1), Self.most)
    beforeID = parameters["before"].flatMap { Int64($0) }
    beforeTime = parameters["before"].flatMap { Double($0) }
  }

  /// The number in the path.
  ///
  /// - Throws: `Refusal` `server-not-found` where there is none.
  static func id(_ context: ServerContext) throws -> Int64 {
    guard let id = context.parameters.get("id", as: Int64.self) else { throw Refusal(.notFound, ["reason": "id"]) }
    return id
  }
}
