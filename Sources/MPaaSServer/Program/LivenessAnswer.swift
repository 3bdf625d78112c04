import HTTPTypes
import MPaaSSupport
import NIOCore
import NIOHTTPTypes

/// Answers `GET /livez` and `GET /health` on the event loop of their connection, without a task: whoever looks after the
/// server does not wait behind the tasks of all others.
///
/// Only a plain request is answered here, with one `Host` and no body, on a connection that owes no other answer, is read
/// from, and is none of the reserve's. Every other goes to the route, which answers alike: it waits for clients that do
/// not read, so that their answers fill no memory.
final class LivenessAnswer: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let connections: Connections
  private let now: @Sendable () -> Double
  /// Requests whose answers the routes still owe.
  private var due = 0
  /// The request that is answered here once its end has come.
  private var own: HTTPRequest?

  /// - Parameter now: Seconds since 1970.
  init(_ connections: Connections, now: @escaping @Sendable () -> Double) {
    self.connections = connections
    self.now = now
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      if due == 0, Self.isPlain(head), context.channel.isWritable, !connections.isReserved(context.channel) {
        own = head
      } else {
        due += 1
        context.fireChannelRead(data)
      }
    case .body:
      if own == nil { context.fireChannelRead(data) }
    case .end:
      guard let request = own else { return context.fireChannelRead(data) }
      own = nil
      answer(request, context)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { due -= 1 }
    context.write(data, promise: promise)
  }

  private static func isPlain(_ head: HTTPRequest) -> Bool {
    head.method == .get && head.path.map(HealthRoutes.live.contains) ?? false && head.namesOneHost && !head.hasBody
      && head.headerFields[.expect] == nil && head.headerFields[.upgrade] == nil
  }

  private func answer(_ request: HTTPRequest, _ context: ChannelHandlerContext) {
    let body = HealthRoutes.isWell
    var fields: HTTPFields = [
      .contentType: HealthRoutes.type, .contentLength: String(body.count), .xContentTypeOptions: "nosniff",
      .date: HTTPDate.text(now()), .server: ServerRun.name,
    ]
    let isLast = request.headerFields[.connection]?.lowercased() == "close"
    if isLast { fields[.connection] = "close" }
    context.write(wrapOutboundOut(.head(HTTPResponse(status: .ok, headerFields: fields))), promise: nil)
    context.write(wrapOutboundOut(.body(ByteBuffer(bytes: body))), promise: nil)
    let sent = context.writeAndFlush(wrapOutboundOut(.end(nil)))
    guard isLast else { return }
    let channel = context.channel
    sent.whenComplete { _ in channel.close(promise: nil) }
  }
}
