import HTTPTypes
package import Hummingbird
import MPaaSSupport
import NIOCore

/// Turns every error into an answer and a count, and ends connections whose bodies nobody is going to read.
struct Doorkeeper: RouterMiddleware {
  typealias Context = ServerContext

  /// A body of at most so many bytes is read and forgotten, so that the connection can go on.
  private static let smallBody: Int64 = 256 << 10

  private let services: ServerServices

  init(_ services: ServerServices) { self.services = services }

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch {
      let refusal =
        (error as? any OwnResponse)?.refusal ?? Refusal(any: error)
        ?? Refusal(.fault, ["reason": "\(type(of: error))"])
      services.counts.refused(refusal.error.code.id.name)
      response = (error as? any OwnResponse)?.response ?? refusal.response(in: services.catalogue)
    }
    response.headers[.xContentTypeOptions] = "nosniff"
    await finishBody(request, context, &response)
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func finishBody(_ request: Request, _ context: ServerContext, _ response: inout Response) async {
    guard context.body.state != .done, Self.hasBody(request) else { return }
    if context.body.state == .untouched, await skip(request, context) { return }
    response.headers[.connection] = "close"
    // Who sends gets the time to read the answer before the connection goes.
    let channel = context.channel
    channel.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
  }

  private static func hasBody(_ request: Request) -> Bool {
    if let length = request.headers[.contentLength] { return length != "0" }
    return request.headers[.transferEncoding] != nil
  }

  private func skip(_ request: Request, _ context: ServerContext) async -> Bool {
    do {
      var reader = try RequestBodyReader(request, context, limit: Self.smallBody, limits: services.limits)
      while try await reader.next() != nil {}
      return true
    } catch {
      return false
    }
  }
}

/// A refusal whose answer has a form of its own.
package protocol OwnResponse: Error {
  var refusal: Refusal { get }
  var response: Response { get }
}
