import HTTPTypes
import Hummingbird
import MPaaSSupport
import MPaaSTerminal
import NIOCore

/// Turns every error into an answer and a count, and ends connections whose bodies will not be read.
struct RefusalMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  /// A body of at most so many bytes is forgotten as it comes, so that the connection can go on.
  private static let smallBody: Int64 = 256 << 10
  private static let requestID = field("X-Request-Id")
  private static let traceParent = field("traceparent")

  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  /// A field by a name that is one.
  private static func field(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .origin }

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    context.body.hold = BodyHold(services.budget, address: context.address)
    defer { context.body.hold?.release() }
    let (begin, trace) = (ContinuousClock.now, Self.trace(of: request))
    services.meter.begin()
    var (response, code): (Response, String?)
    do {
      try Self.checkHost(request)
      try await checkPlace(request, context)
      (response, code) = (try await next(request, context), nil)
    } catch {
      let refusal =
        (error as? any OwnResponse)?.refusal ?? Refusal(any: error)
        ?? Refusal(.fault, ["reason": "\(type(of: error))"])
      code = refusal.error.code.id.name
      services.counts.refused(refusal.error.code.id.name)
      response = (error as? any OwnResponse)?.response ?? refusal.response(in: catalogue(request))
    }
    response.headers[.xContentTypeOptions] = "nosniff"
    if services.connections.isReserved(context.channel) { end(context.channel, &response) }
    finishBody(request, context, &response)
    let duration = ContinuousClock.now - begin
    services.meter.end(request.method.rawValue, response.status.code, duration / .seconds(1))
    if services.log != nil || request.headers[Self.requestID] != nil {
      response.headers[Self.requestID] = trace.request
    }
    services.log?.put(
      RequestLog.Line(
        trace: trace, method: request.method.rawValue, route: context.endpointPath ?? "-",
        status: response.status.code, duration: duration, code: code))
    return request.method == .head ? response.createHeadResponse() : response
  }

  private static func trace(of request: Request) -> TraceContext {
    TraceContext(traceparent: request.headers[traceParent], request: request.headers[requestID])
  }

  /// The texts in the language that the client asks for, else in the server's.
  private func catalogue(_ request: Request) -> Catalogue {
    let language = AcceptLanguage.best(of: request.headers[.acceptLanguage] ?? "")
    return language.map { Catalogue(language: $0) } ?? services.catalogue
  }

  /// Ends the connection after an answer to a body that is not read, unless the body is small: then what sends it has a
  /// few seconds for its rest (`IdleConnection`), and the answer does not wait for that.
  private func finishBody(_ request: Request, _ context: ServerContext, _ response: inout Response) {
    guard context.body.state != .done, request.head.hasBody else { return }
    let length = request.headers[.contentLength].map { Int64($0) ?? .max } ?? 0
    if context.body.state == .untouched, length <= Self.smallBody, request.headers[.expect] == nil { return }
    end(context.channel, &response)
  }

  /// Refuses what names no host or several (RFC 9112, 3.2): whoever stands before the server may have read another one.
  ///
  /// - Throws: `Refusal` `server-bad-request`.
  private static func checkHost(_ request: Request) throws {
    guard request.head.namesOneHost else { throw Refusal(.badRequest, ["reason": "Host"]) }
  }

  /// Refuses who has a place of the reserve and is neither an operator nor asks how the server is.
  private func checkPlace(_ request: Request, _ context: ServerContext) async throws {
    guard services.connections.isReserved(context.channel), !HealthRoutes.paths.contains(request.uri.path) else {
      return
    }
    if let credential = Credential(request), let grant = try await services.access.grant(for: credential.token),
      grant.narrowed(to: nil)?.permits(.read) ?? false
    {
      return
    }
    throw Refusal(.crowded, status: .serviceUnavailable)
  }

  private func end(_ channel: any Channel, _ response: inout Response) {
    response.headers[.connection] = "close"
    // A client that is still sending gets the time to read the answer before the connection goes.
    channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
  }
}
