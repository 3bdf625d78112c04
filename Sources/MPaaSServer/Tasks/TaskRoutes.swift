import Hummingbird
import MPaaSDatabase
import MPaaSProtocol
import MPaaSSupport

/// Collection tasks: an operator asks for logs, the device picks the task up and uploads.
struct TaskRoutes: ServerRoutes {
  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  /// The wish for a task.
  struct Wish: Codable, Sendable {
    /// Made by the caller, so that asking twice makes one task; the server makes one where it is missing.
    var id: String?
    var app: String?
    var user: String
    var device: String?
    var from: Double
    var to: Double
    var network: CollectionTask.Network?
    var types: [String]?
    /// Seconds since 1970; a week from now where it is missing.
    var expires: Double?
  }

  private static let lifetime = 7.0 * 86_400

  static func publication(_ services: ServerServices) -> ServerServices.Publication? {
    { upload in
      guard let task = upload.task else { return nil }
      return { try TaskStore.answer(task, with: upload, in: $0) }
    }
  }

  func tidy() async {
    guard await services.does(.upkeep) else { return }
    let now = services.now()
    _ = try? await services.store.write { try TaskStore.expire(at: now, in: $0) }
  }

  func add(to router: Router<ServerContext>) {
    router.group().add(middleware: PermissionMiddleware(.collect, services)).post("/api/v1/tasks") { request, context in
      let wish: Wish = try await Wire.read(request, context, services)
      let task = try await Self.create(wish, context.grant?.app, services)
      return Response.json(task, status: .created)
    }
    // A device that has lost its secret is let make another one.
    router.group().add(middleware: PermissionMiddleware(.collect, services)).delete("/api/v1/device-secrets") {
      request, context in
      let parameters = request.uri.queryParameters
      guard let device = parameters["device"].map(String.init) else { throw Refusal(.badRequest, ["reason": "device"]) }
      let app = context.grant?.app
      guard try await services.store.write({ try TaskDevice.forget(device, app: app, in: $0) }) else {
        throw Refusal(.notFound, ["reason": "device \(device)"])
      }
      return Response(status: .noContent)
    }
    router.get("/api/v1/tasks") { try await list($0, $1) }
    router.get("/api/v1/tasks/:id") { request, context in
      let (grant, _) = try await grant(of: request, at: context.address)
      let id = context.parameters.get("id") ?? ""
      let caller = try TaskDevice(request, grant, services)
      let found = try await services.store.read { database in
        let task = try TaskStore.task(id, app: grant.app, in: database)?.task
        if let task { try caller?.check(task, in: database) }
        return task
      }
      guard let found else { throw Refusal(.notFound, ["reason": "task \(id)"]) }
      return Response.json(found)
    }
    router.patch("/api/v1/tasks/:id") { try await change($0, $1) }
  }

  /// - Parameter app: The app that the token is limited to.
  static func create(_ wish: Wish, _ app: String?, _ services: ServerServices) async throws -> CollectionTask {
    guard !wish.user.isEmpty, wish.user.utf8.count <= 300, wish.from.isFinite, wish.to.isFinite, wish.from <= wish.to,
      wish.id.map({ !$0.isEmpty && $0.utf8.count <= 100 }) ?? true,
      (wish.types ?? []).allSatisfy({ !$0.isEmpty && !$0.contains(" ") })
    else { throw Refusal(.badRequest, ["reason": "user, from, to"]) }
    let all = try await services.access.allApps()
    let asked = app ?? wish.app
    guard
      let key = asked.flatMap({ asked in all.first { $0.key == asked || $0.name == asked }?.key })
        ?? (asked == nil ? all.first?.key : nil)
    else { throw Refusal(.badRequest, ["reason": "app"]) }
    let now = services.now()
    let task = CollectionTask(
      id: wish.id ?? Access.randomBytes(8).hexadecimal, app: key, user: wish.user, device: wish.device, from: wish.from,
      to: wish.to, network: wish.network ?? .any, types: wish.types ?? [], created: now,
      expires: wish.expires ?? now + lifetime)
    let limit = services.limits.tasks
    let made = try await services.store.write { try TaskStore.create(task, limit: limit, in: $0) }
    services.counts.accepted("task")
    return made
  }

  /// A device asks with `user` and `device` for what it is to do; an operator asks for all.
  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (grant, party) = try await grant(of: request, at: context.address)
    let parameters = request.uri.queryParameters
    var filter = TaskStore.Filter(app: grant.app)
    filter.user = parameters["user"].map(String.init)
    filter.device = parameters["device"].map(String.init)
    filter.state = parameters["state"].flatMap { CollectionTask.State(rawValue: String($0)) }
    filter.limit = min(max(parameters["limit"].flatMap { Int($0) } ?? 100, 1), 1000)
    filter.before = parameters["before"].map(String.init)
    filter.isOpen = parameters["open"] == "1" || party == .device
    if party == .device, filter.user == nil { throw Refusal(.badRequest, ["reason": "user"]) }
    if let caller = try TaskDevice(request, grant, services), let app = grant.app, let user = filter.user {
      filter.caller = caller
      try await caller.introduce(filter.device, of: user, app: app, services)
    }
    return Response.json(CollectionTaskPage(tasks: try await Self.tasks(filter, services)))
  }

  /// Tasks, the newest first; what has expired is neither handed out nor shown as open, though no device came since.
  static func tasks(_ filter: TaskStore.Filter, _ services: ServerServices) async throws -> [CollectionTask] {
    let now = services.now()
    if try await services.store.read({ try TaskStore.isOverdue(at: now, in: $0) }) {
      _ = try await services.store.write { try TaskStore.expire(at: now, in: $0) }
    }
    return try await services.store.read { try TaskStore.tasks(filter, in: $0) }
  }

  private func change(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (grant, _) = try await grant(of: request, at: context.address)
    let caller = try TaskDevice(request, grant, services)
    let id = context.parameters.get("id") ?? ""
    let change: CollectionTaskChange = try await Wire.read(request, context, services, limit: Wire.few)
    // A caller that may do both ends the task as an operator does, and goes on with it as a device does.
    let role: TaskRules.Party = change.state == .cancelled ? .operator : .device
    if role == .operator, !grant.permits(.collect) { throw Refusal(.scope, ["scope": Scope.collect.rawValue]) }
    if role == .device, !grant.permits(.ingest) { throw Refusal(.scope, ["scope": Scope.ingest.rawValue]) }
    let now = services.now()
    let changed = try await services.store.write {
      try TaskStore.change(id, app: grant.app, by: change, role, as: caller, at: now, in: $0)
    }
    guard let changed else { throw Refusal(.notFound, ["reason": "task \(id)"]) }
    await services.note(request, grant, .ok)
    return Response.json(changed)
  }

  /// The grant of a request's caller, and whether it is a device: who may only send is one.
  private func grant(of request: Request, at address: String) async throws -> (Grant, TaskRules.Party) {
    do {
      let grant = try await PermissionMiddleware.grant(of: request, .read, services, at: address)
      return (grant, device(request) ? .device : .operator)
    } catch let refusal as Refusal where refusal.error.code == .scope {
      do {
        return (try await PermissionMiddleware.grant(of: request, .collect, services, at: address), .operator)
      } catch let refusal as Refusal where refusal.error.code == .scope {
        return (try await PermissionMiddleware.grant(of: request, .ingest, services, at: address), .device)
      }
    }
  }

  private func device(_ request: Request) -> Bool { request.uri.queryParameters["device"] != nil }
}
