import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import NIOSSL

/// The client's end of a stream.
final class HTTP2ClientHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias OutboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  private let stream: HTTP2Stream

  init(_ stream: HTTP2Stream) { self.stream = stream }

  func handlerAdded(context: ChannelHandlerContext) { stream.client = context }
  func channelRead(context: ChannelHandlerContext, data: NIOAny) { stream.receive(request: unwrapInboundIn(data)) }
  func channelReadComplete(context: ChannelHandlerContext) { stream.flushUpstream() }

  func channelInactive(context: ChannelHandlerContext) {
    stream.clientIsGone()
    context.fireChannelInactive()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    stream.resumeUpstream()
    context.fireChannelWritabilityChanged()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func read(context: ChannelHandlerContext) {
    if stream.mayReadClient { context.read() } else { stream.clientWaits = true }
  }
}

/// The upstream's end of a stream.
final class HTTP2UpstreamHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias OutboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  private let stream: HTTP2Stream
  private var reason = HTTP2ErrorCode.internalError

  init(_ stream: HTTP2Stream) { self.stream = stream }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { stream.upstreamIsThere(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    stream.upstreamIsThere(context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { stream.receive(reply: unwrapInboundIn(data)) }

  func channelInactive(context: ChannelHandlerContext) {
    stream.upstreamEnded(reason)
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case let closed as StreamClosedEvent: reason = closed.reason ?? .internalError
    case ChannelEvent.inputClosed: context.close(promise: nil)
    default: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    stream.resumeClient()
    context.fireChannelWritabilityChanged()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func read(context: ChannelHandlerContext) {
    if stream.mayReadUpstream { context.read() } else { stream.upstreamWaits = true }
  }
}

/// Watches a whole connection of HTTP/2, as the last handler of its channel.
final class HTTP2ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame

  private let onChange: () -> Void
  private let onGoAway: () -> Void
  private let onEnd: () -> Void

  /// - Parameters:
  ///   - onChange: More can be written again.
  ///   - onGoAway: It takes no new streams.
  init(onChange: @escaping () -> Void = {}, onGoAway: @escaping () -> Void = {}, onEnd: @escaping () -> Void) {
    self.onChange = onChange
    self.onGoAway = onGoAway
    self.onEnd = onEnd
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .goAway = unwrapInboundIn(data).payload { onGoAway() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    onEnd()
    context.fireChannelInactive()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    onChange()
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ShapingHandler.Fullness: onChange()
    case ChannelEvent.inputClosed: context.close(promise: nil)
    default: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is NIOHTTP2Errors.StreamError { return }
    context.close(promise: nil)
  }
}

/// Leads a stream of HTTP/2 over a connection of HTTP/1.1 of its own.
final class HTTP2AsHTTP1Handler: ChannelDuplexHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTP2Frame.FramePayload
  typealias OutboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTPClientRequestPart

  private var hasBegun = false
  /// Fields that are the connection's, which HTTP/2 does not have (RFC 9113 section 8.2.2).
  private static let hopByHop: Set<String> = [
    "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "te", "http2-settings",
  ]

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .headers(let payload):
      if hasBegun {
        context.write(wrapOutboundOut(.end(fields(payload.headers))), promise: promise)
        return
      }
      hasBegun = true
      context.write(wrapOutboundOut(.head(head(payload.headers, isBare: payload.endStream))), promise: promise)
      if payload.endStream { context.write(wrapOutboundOut(.end(nil)), promise: nil) }
    case .data(let payload):
      context.write(wrapOutboundOut(.body(payload.data)), promise: promise)
      if payload.endStream { context.write(wrapOutboundOut(.end(nil)), promise: nil) }
    case .rstStream: context.close(promise: promise)
    default: promise?.succeed()
    }
  }

  private func head(_ headers: HPACKHeaders, isBare: Bool) -> HTTPRequestHead {
    let method = HTTPMethod(rawValue: headers.first(name: ":method") ?? "GET")
    var fields = fields(headers)
    if let authority = headers.first(name: ":authority") { fields.replaceOrAdd(name: "Host", value: authority) }
    let cookies = fields["cookie"]
    if cookies.count > 1 { fields.replaceOrAdd(name: "Cookie", value: cookies.joined(separator: "; ")) }
    if !isBare, !fields.contains(name: "content-length") { fields.add(name: "Transfer-Encoding", value: "chunked") }
    fields.add(name: "Connection", value: "close")
    return HTTPRequestHead(
      version: .http1_1, method: method, uri: headers.first(name: ":path") ?? "/", headers: fields)
  }

  private func fields(_ headers: HPACKHeaders) -> HTTPHeaders {
    HTTPHeaders(
      headers.lazy.filter { !$0.name.hasPrefix(":") && !Self.hopByHop.contains($0.name) }.map { ($0.name, $0.value) })
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      var headers: HPACKHeaders = [":status": "\(head.status.code)"]
      add(head.headers, to: &headers)
      context.fireChannelRead(wrapInboundOut(.headers(.init(headers: headers))))
    case .body(let bytes): context.fireChannelRead(wrapInboundOut(.data(.init(data: .byteBuffer(bytes)))))
    case .end(let trailers):
      if let trailers, !trailers.isEmpty {
        var headers = HPACKHeaders()
        add(trailers, to: &headers)
        context.fireChannelRead(wrapInboundOut(.headers(.init(headers: headers, endStream: true))))
      } else {
        context.fireChannelRead(wrapInboundOut(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true))))
      }
    }
  }

  private func add(_ fields: HTTPHeaders, to headers: inout HPACKHeaders) {
    for (name, value) in fields where !Self.hopByHop.contains(name.lowercased()) {
      headers.add(name: name.lowercased(), value: value)
    }
  }
}

extension ChannelPipeline.SynchronousOperations {
  /// Tells whether TLS is spoken on the channel.
  var isSecure: Bool { (try? handler(type: NIOSSLServerHandler.self)) != nil }
}
