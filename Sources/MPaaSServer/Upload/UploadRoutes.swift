import HTTPTypes
import Hummingbird
import MPaaSProtocol
import MPaaSSupport
import NIOCore
import NIOHTTPTypes

/// Resumable uploads by tus 1.0 and by the IETF draft, told apart by their headers; and what was uploaded, to be read.
struct UploadRoutes: ServerRoutes {
  let services: ServerServices
  let uploads: UploadService

  init(_ services: ServerServices) {
    self.services = services
    uploads = UploadService(services)
  }

  func begin() async throws { try await uploads.recover() }

  func tidy() async { await uploads.expire() }

  func add(to router: Router<ServerContext>) {
    let all = RouterPath(ServerPaths.uploads)
    let one = RouterPath(ServerPaths.uploads + "/:id")
    router.on(all, method: .options) { request, _ in options(request) }
    router.on(one, method: .options) { request, _ in options(request) }
    for method in [HTTPRequest.Method.post, .put] {
      router.on(all, method: method) { request, context in
        try await answer(request, context) { grant in try await create(request, context, grant) }
      }
    }
    for method in [HTTPRequest.Method.head, .patch, .delete, .post] {
      router.on(one, method: method) { request, context in
        try await answer(request, context) { grant in try await change(request, context, grant) }
      }
    }
    router.get(one) { request, context in try await get(request, context) }
  }

  /// The facts that both protocols tell of themselves.
  private func options(_ request: Request) -> Response {
    var headers = TusWire.options(services)
    headers[.acceptPatch] = "\(DraftWire.partialType), \(TusWire.bodyType)"
    headers[.uploadLimit] = DraftWire.limit(services, version: DraftWire.version(of: request) ?? 8, record: nil)
    return Response(status: .noContent, headers: headers)
  }

  /// Does a request of an upload, and tells its refusal in the way of its protocol.
  private func answer(
    _ request: Request, _ context: ServerContext, _ body: (Grant) async throws -> Response
  ) async throws -> Response {
    let isDraft = DraftWire.speaks(request)
    do {
      let grant = try await PermissionMiddleware.grant(of: request, .ingest, services, at: context.address)
      return try await body(grant)
    } catch {
      var refusal = Refusal(any: error) ?? Refusal(.fault, ["reason": "\(type(of: error))"])
      if isDraft {
        refusal.headers[.uploadDraftInteropVersion] = String(DraftWire.version(of: request) ?? 8)
        if refusal.error.code == .tooLarge {
          refusal.headers[.uploadLimit] = DraftWire.limit(
            services, version: DraftWire.version(of: request) ?? 8, record: nil)
        }
        throw DraftWire.Problem(refusal, services.catalogue)
      }
      refusal.headers[.tusResumable] = TusWire.version
      if refusal.error.code == .tooLarge { refusal.headers[.tusMaxSize] = String(services.limits.upload) }
      if refusal.error.code == .protocolVersion { refusal.headers[.tusVersion] = TusWire.version }
      throw refusal
    }
  }

  private func create(_ request: Request, _ context: ServerContext, _ grant: Grant) async throws -> Response {
    if DraftWire.speaks(request) { return try await DraftWire(self, request, context, grant).create() }
    guard request.method == .post else { throw Refusal(.badRequest, ["reason": "PUT"], status: .methodNotAllowed) }
    return try await TusWire(self, request, context, grant).create()
  }

  private func change(_ request: Request, _ context: ServerContext, _ grant: Grant) async throws -> Response {
    var method = request.method
    if let other = request.headers[.methodOverride].flatMap(HTTPRequest.Method.init(rawValue:)) { method = other }
    let id = try context.parameters.require("id")
    let isDraft = DraftWire.speaks(request)
    switch method {
    case .head:
      try await uploads.claims.wait(for: id, number: context.number)
      let record = try await uploads.record(id, grant)
      let speaksTus = request.headers[.tusResumable] != nil || (record.wire == .tus && !isDraft)
      return speaksTus
        ? try TusWire(self, request, context, grant).head(record)
        : try DraftWire(self, request, context, grant).head(record)
    case .patch:
      return try await claimed(id, context) {
        let record = try await uploads.record(id, grant)
        return isDraft
          ? try await DraftWire(self, request, context, grant).patch(record)
          : try await TusWire(self, request, context, grant).patch(record)
      }
    case .delete:
      if !isDraft { try TusWire(self, request, context, grant).checkVersion() }
      return try await claimed(id, context) {
        let record = try await uploads.record(id, grant)
        // A published upload is removed only for a caller that may do everything.
        if record.blob != nil, !grant.permits(.admin) { throw Refusal(.scope, ["scope": Scope.admin.rawValue]) }
        try await uploads.remove(record)
        services.counts.add("removed.upload")
        return Response(status: .noContent, headers: isDraft ? [:] : [.tusResumable: TusWire.version])
      }
    default:
      throw Refusal(.badRequest, ["reason": method.rawValue], status: .methodNotAllowed)
    }
  }

  /// Does `body` while no other request writes to the upload.
  func claimed(
    _ id: String, _ context: ServerContext, _ body: () async throws -> Response
  ) async throws -> Response {
    let claim = try await uploads.claims.take(id, number: context.number, context.channel)
    do {
      let response = try await body()
      await uploads.claims.release(claim)
      return response
    } catch {
      await uploads.claims.release(claim)
      throw error
    }
  }

  /// The address of an upload, as the client reaches the server.
  func location(_ id: String, _ request: Request) -> String {
    services.address.url(for: request) + ServerPaths.uploads + "/" + id
  }

  /// The headers' facts about a file; `more` goes before them.
  func details(_ request: Request, _ grant: Grant) throws -> UploadDetails {
    let text = request.headers[.uploadMetadata] ?? ""
    guard let metadata = UploadHeaders.metadata(text) else {
      throw Refusal(.badRequest, ["reason": "Upload-Metadata"])
    }
    return try UploadDetails(metadata, app: grant.app)
  }
}

extension ServerContext {
  /// Sends an informational answer before the final one.
  func inform(_ status: HTTPResponse.Status, _ headers: HTTPFields = [:]) {
    let head = HTTPResponsePart.head(HTTPResponse(status: status, headerFields: headers))
    channel.writeAndFlush(head, promise: nil)
  }
}
