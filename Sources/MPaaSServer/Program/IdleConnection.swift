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
  /// Since when nothing was said, without the time in which nothing was read: bytes that make no part of a message say
  /// nothing.
  private var quietSince = NIODeadline.now()
  /// Since when nothing is read; nil while the client is listened to.
  private var pausedSince: NIODeadline? = .now()
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
    if let paused = pausedSince { quietSince = quietSince + (.now() - paused) }
    pausedSince = nil
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
    quietSince = .now()
    context.fireChannelRead(data)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    // Whoever wants more asks for it, now or when there is room.
    if pausedSince == nil { pausedSince = .now() }
    context.fireChannelReadComplete()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      answersDue -= 1
      quietSince = .now()
      if pausedSince != nil { pausedSince = .now() }
    }
    context.write(data, promise: promise)
  }

  private func schedule(_ context: ChannelHandlerContext, at time: NIODeadline) {
    look?.cancel()
    look = context.eventLoop.assumeIsolated().scheduleTask(deadline: time) { [self] in
      let now = NIODeadline.now()
      let isWaiting = !isRequestRead || answersDue == 0
      guard isWaiting, pausedSince == nil else { return schedule(context, at: now + patience) }
      if now - quietSince >= patience {
        context.close(promise: nil)
      } else {
        schedule(context, at: quietSince + patience)
      }
    }
  }
}
