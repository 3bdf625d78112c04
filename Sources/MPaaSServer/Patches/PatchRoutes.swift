import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Devices by hotpatch, what is known of rollouts, and the changes of them that operators ask for.
///
/// The server signs nothing: `mpaas hotpatch watch`, which has the director's key, reads the counts, halts by them, makes the
/// changes that were asked for where it may, and tells how the rollouts stand.
struct PatchRoutes: ServerRoutes {
  private let services: ServerServices
  private let upkeep = PeriodicTurn(every: 3600)

  /// Seconds for which a request that ended is shown.
  private static let memory = 90.0 * 86_400
  private static let mostNotes: Int64 = 200
  private static let mostRollouts = 500

  init(_ services: ServerServices) { self.services = services }

  func add(to router: Router<ServerContext>) {
    let readers = router.group().add(middleware: PermissionMiddleware(.read, services))
    readers.get(RouterPath(ConsolePaths.patches)) { request, context in
      let (app, identity) = (context.grant?.app, request.uri.queryParameters["identity"].map(String.init))
      let now = services.now()
      let patches = try await services.store.read {
        try RolloutStore.patches(app: app, identity: identity, at: now, in: $0)
      }
      return Response.json(PatchPage(patches: patches), headers: [.cacheControl: "no-store"])
    }
    readers.get(RouterPath(ConsolePaths.rolloutRequests)) { request, context in
      let (app, word) = (context.grant?.app, request.uri.queryParameters["state"].map(String.init))
      let state = word.flatMap { RolloutRequest.State(rawValue: $0) }
      guard word == nil || state != nil else { throw Refusal(.badRequest, ["reason": "state"]) }
      let requests = try await services.store.read { try RolloutStore.requests(app: app, state: state, in: $0) }
      return Response.json(RolloutRequestPage(requests: requests), headers: [.cacheControl: "no-store"])
    }
    let writers = router.group().add(middleware: PermissionMiddleware(.operate, services))
    writers.put(RouterPath(ConsolePaths.rollouts + "/:identity")) { request, context in
      let note: RolloutNote = try await Wire.read(request, context, services)
      try await keep(note, context)
      return Response.json(note)
    }
    writers.post(RouterPath(ConsolePaths.rolloutRequests)) { request, context in
      let wish: RolloutWish = try await Wire.read(request, context, services, limit: Wire.few)
      return Response.json(try await Self.ask(wish, context, services), status: .created)
    }
    writers.patch(RouterPath(ConsolePaths.rolloutRequests + "/:id")) { request, context in
      let outcome: RolloutOutcome = try await Wire.read(request, context, services, limit: Wire.few)
      return Response.json(try await end(outcome, context))
    }
  }

  func tidy() async {
    guard await services.does(.upkeep) else { return }
    let now = services.now()
    // A removal that fails is tried again the next time.
    if upkeep.take(at: now) {
      try? await services.store.write { try RolloutStore.free(before: now - Self.memory, in: $0) }
    }
  }

  private func keep(_ note: RolloutNote, _ context: ServerContext) async throws {
    let identity = PercentEncoding.decodeLeniently((context.parameters.get("identity") ?? "").utf8)
    guard PatchLabel("\(identity)@1") != nil else { throw Refusal(.badRequest, ["reason": "identity"]) }
    guard note.rollouts.count <= Self.mostRollouts else { throw Refusal(.badRequest, ["reason": "rollouts"]) }
    let app = try await Self.app(of: identity, context, services)
    let now = services.now()
    try await services.store.write { database in
      let isKnown = try RolloutStore.note(app: app, identity: identity, in: database) != nil
      guard try isKnown || RolloutStore.notes(app: app, in: database) < Self.mostNotes else {
        throw Refusal(.badRequest, ["reason": "identity"])
      }
      try RolloutStore.keep(note, app: app, identity: identity, at: now, in: database)
    }
  }

  /// The app that an identifier is one of: the caller's own, else the one whose devices told of it.
  ///
  /// - Throws: `server-not-found` where no app's devices did, and there are several.
  private static func app(
    of identity: String, _ context: ServerContext, _ services: ServerServices
  ) async throws -> String {
    if let own = context.grant?.app { return own }
    if let app = try await services.store.read({ try RolloutStore.app(ofIdentity: identity, in: $0) }) { return app }
    let apps = try await services.access.allApps()
    guard apps.count == 1, let only = apps.first else { throw Refusal(.notFound, ["reason": "identity"]) }
    return only.key
  }

  /// Keeps what an operator asks for.
  ///
  /// - Throws: `server-bad-request` naming the field, `server-not-found` where no such rollout is known.
  static func ask(
    _ wish: RolloutWish, _ context: ServerContext, _ services: ServerServices
  ) async throws -> RolloutRequest {
    let points = wish.basisPoints
    guard (wish.action == .percentage) == (points != nil), points.map({ (0...10_000).contains($0) }) ?? true else {
      throw Refusal(.badRequest, ["reason": "basis_points"])
    }
    let app = try await app(of: wish.identity, context, services)
    let note = try await services.store.read { try RolloutStore.note(app: app, identity: wish.identity, in: $0) }
    let isKnown = note?.rollouts.contains {
      $0.patch == wish.patch && $0.version == wish.version && $0.channel == wish.channel
    }
    guard isKnown == true else { throw Refusal(.notFound, ["reason": "rollout"]) }
    let request = RolloutRequest(
      id: Access.randomBytes(8).hexadecimal, app: app, identity: wish.identity, patch: wish.patch,
      version: wish.version, channel: wish.channel, action: wish.action, basisPoints: points,
      reason: SessionReader.cut(wish.reason ?? ""), author: context.grant?.name ?? "", created: services.now())
    let deed = AuditTrail.Deed(
      actor: request.author, action: "rollout.\(request.action.rawValue)",
      object: "\(request.identity) \(request.patch) \(request.version) \(request.channel)", detail: request.reason,
      app: app)
    try await services.store.write { database in
      guard try RolloutStore.waiting(app: app, in: database) < RolloutStore.mostWaiting else {
        throw Refusal(.badRequest, ["reason": "requests"])
      }
      try RolloutStore.add(request, in: database)
      try AuditTrail.add(deed, at: request.created, in: database)
    }
    return request
  }

  private func end(_ outcome: RolloutOutcome, _ context: ServerContext) async throws -> RolloutRequest {
    guard outcome.state != .waiting else { throw Refusal(.badRequest, ["reason": "state"]) }
    let (id, app, now) = (context.parameters.get("id") ?? "", context.grant?.app, services.now())
    let cut = RolloutOutcome(state: outcome.state, outcome: SessionReader.cut(outcome.outcome, 1000))
    let ended = try await services.store.write { database -> RolloutRequest? in
      guard let request = try RolloutStore.request(id, app: app, in: database) else { return nil }
      // A request that ended is not ended otherwise.
      _ = try RolloutStore.end(request, cut, at: now, in: database)
      return try RolloutStore.request(id, app: app, in: database)
    }
    guard let ended else { throw Refusal(.notFound, ["reason": "request \(id.prefix(100))"]) }
    return ended
  }
}
