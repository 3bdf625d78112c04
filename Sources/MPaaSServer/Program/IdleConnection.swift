import NIOCore
import NIOHTTPTypes

/// Ends a connection whose client has said nothing for a time while it was listened to.
///
/// Where the server itself has stopped reading, since what came before is not yet on the disk, the time does not run: a
/// client is not to blame for that.
final class IdleConnection: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let patience: TimeAmount
  /// Since when bytes are waited for; nil while nothing is read.
  private var listensSince: NIODeadline?
  private var isRequestRead = true
  private var answersDue = 0
  private var look: Scheduled<Void>?

  init(_ patience: TimeAmount) { self.patience = patience }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { schedule(context, at: .now() + patience) }
  }

  func channelActive(context: ChannelHandlerContext) {
    schedule(context, at: .now() + patience)
    context.fireChannelActive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { look?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    look?.cancel()
    context.fireChannelInactive()
  }

  func read(context: ChannelHandlerContext) {
    if listensSince == nil { listensSince = .now() }
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      isRequestRead = false
      answersDue += 1
    case .body: break
    case .end: isRequestRead = true
    }
    listensSince = .now()
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    // Whoever wants more asks for it, now or when there is room.
    listensSince = nil
    context.fireChannelReadComplete()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      answersDue -= 1
      if listensSince != nil { listensSince = .now() }
    }
    context.write(data, promise: promise)
  }

  private func schedule(_ context: ChannelHandlerContext, at time: NIODeadline) {
    look?.cancel()
    look = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { [self] in
      let now = NIODeadline.now()
      let isWaiting = !isRequestRead || answersDue == 0
      guard isWaiting, let listensSince else { return schedule(context, at: now + patience) }
      if now - listensSince >= patience {
        context.close(promise: nil)
      } else {
        schedule(context, at: listensSince + patience)
      }
    }
  }
}
