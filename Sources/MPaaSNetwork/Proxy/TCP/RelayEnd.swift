import NIOCore

/// The last handler of one of the two channels of a relay.
final class RelayEnd: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// The direction of the bytes read here.
  let direction: Direction
  var relay: Relay?
  private(set) var context: ChannelHandlerContext?
  /// Bytes have been written to the other channel and are to be flushed.
  var hasPassed = false
  /// The peer has ended its direction.
  private(set) var hasEnded = false
  /// The peer has reset the connection, or the system has given it up.
  private(set) var hasFailed = false
  /// No more is sent to the peer.
  var isFinished = false
  private var readIsPending = false

  init(_ direction: Direction) { self.direction = direction }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { leave() }

  func channelInactive(context: ChannelHandlerContext) { leave() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) { relay?.received(unwrapInboundIn(data), from: self) }

  func channelReadComplete(context: ChannelHandlerContext) { relay?.receivedAll(from: self) }

  func read(context: ChannelHandlerContext) {
    if relay?.mayRead(self) ?? false {
      context.read()
    } else {
      readIsPending = true
    }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { relay?.becameWritable(self) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .inputClosed? = event as? ChannelEvent else { return }
    hasEnded = true
    relay?.ended(self)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    hasFailed = true
    context.close(promise: nil)
  }

  /// Reads on, where that was put off and may now be done.
  func resume() {
    guard readIsPending, let context, relay?.mayRead(self) ?? false else { return }
    readIsPending = false
    context.read()
  }

  func close() { context?.close(promise: nil) }

  private func leave() {
    guard context != nil else { return }
    context = nil
    relay?.gone(self)
  }
}
