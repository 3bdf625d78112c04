import MPaaSSupport
import MPaaSTime
package import MPaaSTransfer

extension FlagTransport {
  /// The transport of the kit's downloads, which loads libcurl at the first request.
  ///
  /// - Parameter userAgent: The name of the app for servers.
  public static func http(userAgent: String) -> FlagTransport { over(.live(userAgent: userAgent)) }

  /// A transport over an HTTP client, each request on a thread of its own.
  package static func over(_ client: HTTPClient) -> FlagTransport {
    FlagTransport(
      exchange: { request in
        FlagResponse(try await client.answer(to: HTTPCall(request)))
      },
      stream: { request, receive in
        var call = HTTPCall(request)
        call.receive = { status, _, bytes in status == 200 && receive(bytes) }
        return FlagResponse(try await client.answer(to: call))
      })
  }
}

extension HTTPCall {
  fileprivate init(_ request: FlagRequest) {
    var limits = HTTPRequest.Limits()
    limits.total = request.timeout
    // A stream is silent while nothing changes; the client itself watches over it.
    limits.stall = nil
    self.init(
      request.method, request.url, headers: request.headers, body: request.body.map { [.bytes(Bytes($0))] },
      limits: limits)
    answerLimit = FlagResponse.largestBody
  }
}

extension FlagResponse {
  fileprivate init(_ reply: HTTPReply) { self.init(status: reply.status, headers: reply.headers, body: reply.body) }
}
