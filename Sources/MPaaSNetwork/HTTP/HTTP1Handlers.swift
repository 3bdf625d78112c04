import NIOCore

/// The client's end of a relay.
final class HTTP1ClientHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let relay: HTTP1Relay

  init(_ relay: HTTP1Relay) { self.relay = relay }

  func handlerAdded(context: ChannelHandlerContext) { relay.client = context }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { relay.receive(request: unwrapInboundIn(data)) }

  func channelInactive(context: ChannelHandlerContext) {
    relay.clientIsGone()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { relay.clientIsGone() }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    relay.resumeUpstream()
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed: relay.clientEnded()
    case is ShapingHandler.Fullness: relay.resumeUpstream()
    default: break
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { relay.closeClient() }

  func read(context: ChannelHandlerContext) {
    if relay.mayReadClient { context.read() } else { relay.clientWaits = true }
  }
}

/// The upstream's end of a relay.
final class HTTP1UpstreamHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let relay: HTTP1Relay

  init(_ relay: HTTP1Relay) { self.relay = relay }

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { relay.upstreamIsThere(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    relay.upstreamIsThere(context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { relay.receive(reply: unwrapInboundIn(data)) }

  func channelReadComplete(context: ChannelHandlerContext) {
    relay.client?.flush()
    context.fireChannelReadComplete()
  }

  func channelInactive(context: ChannelHandlerContext) {
    relay.upstreamEnded()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event { relay.upstreamSendsNoMore(context) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { relay.resumeClient() }
    context.fireChannelWritabilityChanged()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    relay.upstreamWasReset = true
    context.close(promise: nil)
  }

  func read(context: ChannelHandlerContext) {
    if relay.mayReadUpstream { context.read() } else { relay.upstreamWaits = true }
  }
}
