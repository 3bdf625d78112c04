import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSPush
import MPaaSSupport
import MPaaSTimeZones
import Synchronization

/// Campaigns: operators create, list, pause, resume and cancel them, and see what became of each installation.
final class CampaignRoutes: ServerRoutes {
  private let services: ServerServices
  private let running = Mutex<CampaignRunner?>(nil)

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let (all, one) = (RouterPath(ServerPaths.pushCampaigns), ServerPaths.pushCampaigns + "/:id")
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get(all) { [self] in try await list($0, $1) }
    readers.get(RouterPath(one)) { [self] request, context in
      let stored = try await Self.stored(request, context, services)
      return Self.answer(PushCampaignDetail(campaign: stored.entry, definition: stored.definition))
    }
    readers.get(RouterPath(one + "/deliveries")) { [self] in try await deliveries($0, $1) }
    let operators = router.group().add(middleware: PermissionMiddleware(.operate, services))
    operators.post(all) { [self] in try await create($0, $1) }
    for wish in CampaignStore.Wish.allCases {
      operators.post(RouterPath(one + "/\(wish.rawValue)")) { [self] request, context in
        let changed = try await Self.change(wish, request, context, services)
        try runner().look(at: changed.number)
        return Self.answer(changed)
      }
    }
  }

  /// Reads the keys.
  func begin() async throws {
    let keys = try services.configuration.push.map { file throws(ServerError) in
      try CampaignKeys(file, now: services.now)
    }
    let runner = CampaignRunner(services, keys: keys ?? CampaignKeys())
    running.withLock { $0 = runner }
  }

  func work() { running.withLock { $0 }?.begin() }

  func end() async { await running.withLock { $0 }?.end() }

  func tidy() async {
    guard await services.does(.upkeep) else { return }
    let now = services.now()
    _ = try? await services.store.write { try CampaignStore.forget(at: now, in: $0) }
  }

  private func runner() throws -> CampaignRunner {
    guard let runner = running.withLock({ $0 }) else { throw Refusal(.busy) }
    return runner
  }

  private static func answer(_ value: some Encodable, isNew: Bool = false) -> Response {
    Response.json(value, status: isNew ? .created : .ok, headers: [.cacheControl: "no-store"])
  }

  // MARK: - Questions

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let parameters = request.uri.queryParameters
    let (word, cursor) = (parameters["state"].map(String.init), parameters["cursor"].map(String.init))
    let query = ListQuery(request, context)
    var filter = CampaignStore.Filter(app: query.app, limit: query.limit)
    filter.state = word.flatMap(PushCampaignState.init(rawValue:))
    filter.before = cursor.flatMap { Int64($0) }
    guard (word == nil) == (filter.state == nil) else { throw Refusal(.badRequest, ["reason": "state"]) }
    guard (cursor == nil) == (filter.before == nil) else { throw Refusal(.badRequest, ["reason": "cursor"]) }
    let asked = filter
    return Self.answer(try await services.store.read { try CampaignStore.page(asked, in: $0) })
  }

  private func deliveries(_ request: Request, _ context: ServerContext) async throws -> Response {
    let parameters = request.uri.queryParameters
    let (word, cursor) = (parameters["state"].map(String.init), parameters["cursor"].map(String.init))
    let (state, after) = (word.flatMap(PushDeliveryState.init(rawValue:)), cursor.flatMap { Int64($0) })
    guard (word == nil) == (state == nil) else { throw Refusal(.badRequest, ["reason": "state"]) }
    guard (cursor == nil) == (after == nil) else { throw Refusal(.badRequest, ["reason": "cursor"]) }
    let (number, limit) = (
      try await Self.stored(request, context, services).entry.number, ListQuery(request, context).limit
    )
    return Self.answer(
      try await services.store.read {
        try CampaignStore.deliveries(number, state, after: after, limit: limit, in: $0)
      })
  }

  /// The campaign that a path names.
  ///
  /// - Throws: `Refusal` `server-not-found`.
  static func stored(
    _ request: Request, _ context: ServerContext, _ services: ServerServices
  ) async throws -> CampaignStore.Stored {
    let (id, app) = try await name(request, context, services)
    let found = try await services.store.read { try CampaignStore.find(id, app: app, in: $0) }
    guard let found else { throw Refusal(.notFound, ["reason": "campaign \(id)"]) }
    return found
  }

  private static func name(
    _ request: Request, _ context: ServerContext, _ services: ServerServices
  ) async throws -> (id: String, app: String?) {
    guard let id = context.parameters.get("id"), PushCampaign.isID(id) else {
      throw Refusal(.notFound, ["reason": "id"])
    }
    let named = request.uri.queryParameters["app"].map(String.init)
    return (id, named == nil ? context.grant?.app : try await app(named, context, services))
  }

  /// The key of the app that a request is about: the token's, or the one named, or the server's first.
  private static func app(
    _ named: String?, _ context: ServerContext, _ services: ServerServices
  ) async throws -> String {
    let all = try await services.access.allApps()
    let word = context.grant?.app ?? named
    let found = word.map { word in all.first { $0.key == word || $0.name == word } } ?? all.first
    // A token may be limited to an app that has no key any more.
    guard let key = found?.key ?? context.grant?.app else { throw Refusal(.badRequest, ["reason": "app"]) }
    return key
  }

  // MARK: - Changes

  private func create(_ request: Request, _ context: ServerContext) async throws -> Response {
    let body = try await RequestBodyReader.small(
      of: request, context, limit: Int64(PushCampaign.Limit.bytes), limits: services.limits)
    let campaign = try body.withUnsafeBytes { try PushCampaign($0) }
    let parameters = request.uri.queryParameters
    let app = try await Self.app(parameters["app"].map(String.init), context, services)
    let (runner, now) = (try runner(), services.now())
    let check = try await check(campaign, app: app, runner, counts: parameters["check"] == "1")
    if parameters["check"] == "1" { return Self.answer(check) }
    if let expires = campaign.expires, expires <= now { throw PushError(.campaignMalformed, ["field": "expires"]) }
    let author = context.grant?.name ?? ""
    let made = try await services.store.write {
      try CampaignStore.create(campaign, app: app, author: author, at: now, in: $0)
    }
    runner.look(at: made.entry.number)
    return Self.answer(made.entry, isNew: made.isNew)
  }

  /// Checks all that can be known before anything is sent.
  ///
  /// - Parameter counts: Whether the installations are counted, too.
  /// - Throws: `server-push-no-key`, `server-bad-request`, `push-campaign-malformed`, `push-campaign-too-large`.
  private func check(
    _ campaign: PushCampaign, app: String, _ runner: CampaignRunner, counts: Bool
  ) async throws -> PushCampaignCheck {
    guard let key = runner.keys.key(for: campaign.topic, app: app) else {
      throw ServerError(.pushNoKey, ["topic": campaign.topic])
    }
    let audience = try CampaignAudience(campaign.audience)
    if let zone = campaign.quiet?.zone, runner.zones.rules(zone) == nil {
      throw PushError(.campaignMalformed, ["field": "quiet.timezone"])
    }
    let sizes: [(bytes: Int, limit: Int)] =
      switch key.sender {
      case .apns: try campaign.notifications().map { ($0.payload.utf8.count, campaign.type.payloadLimit) }
      case .fcm:
        try campaign.messages().map { message in
          let (before, after) = message.parts
          return (before.count + after.count, 4096)
        }
      }
    let installations = counts ? try await count(campaign, audience, app: app) : []
    return PushCampaignCheck(
      id: campaign.id, provider: key.sender.name, audience: installations.reduce(0, +),
      payloads: zip(campaign.languages, sizes).enumerated().map { place, payload in
        PushCampaignCheck.Payload(
          language: payload.0, bytes: payload.1.bytes, limit: payload.1.limit,
          installations: counts ? installations[place] : 0)
      })
  }

  /// The numbers of installations that would get each of a campaign's payloads.
  private func count(_ campaign: PushCampaign, _ audience: CampaignAudience, app: String) async throws -> [Int] {
    var counts = [Int](repeating: 0, count: campaign.languages.count)
    let choice = campaign.choice
    var after: Int64 = 0
    while true {
      let before = after
      let found = try await services.store.read {
        try CampaignStore.installations(
          app: app, topic: campaign.topic, campaign.environment, after: before, limit: CampaignRun.part, in: $0)
      }
      for entry in found where audience.contains(entry) { counts[choice(entry.locale)] += 1 }
      guard let last = found.last, found.count == CampaignRun.part else { return counts }
      after = last.number
    }
  }

  /// Fulfills a wish for the campaign that a path names.
  static func change(
    _ wish: CampaignStore.Wish, _ request: Request, _ context: ServerContext, _ services: ServerServices
  ) async throws -> PushCampaignEntry {
    let (id, app) = try await name(request, context, services)
    let now = services.now()
    let changed = try await services.store.write {
      try CampaignStore.change(id, app: app, wish, at: now, in: $0)
    }
    guard let changed else { throw Refusal(.notFound, ["reason": "campaign \(id)"]) }
    return changed
  }
}
