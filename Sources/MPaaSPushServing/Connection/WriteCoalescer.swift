import NIOCore

/// Puts the small pieces that are written between two flushes together, so that TLS makes few records of them.
final class WriteCoalescer: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var held = ByteBuffer()
  private var promise: EventLoopPromise<Void>?
  private var context: ChannelHandlerContext?
  /// Tells whether flushes wait.
  private var isHolding = false
  private var isWaiting = false

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  /// Does work whose flushes are one, at its end.
  func together(_ work: () -> Void) {
    let wasHolding = isHolding
    isHolding = true
    work()
    isHolding = wasHolding
    if isWaiting, !isHolding, let context { flush(context: context) }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    var bytes = unwrapOutboundIn(data)
    held.writeBuffer(&bytes)
    guard let promise else { return }
    if let last = self.promise { last.futureResult.cascade(to: promise) } else { self.promise = promise }
  }

  /// Puts the bytes of a whole frame behind those that were written.
  func append(_ frame: ByteBuffer) { held.writeImmutableBuffer(frame) }

  func flush(context: ChannelHandlerContext) {
    if isHolding {
      isWaiting = true
      return
    }
    isWaiting = false
    if held.readableBytes > 0 || promise != nil {
      let bytes = held
      let promise = promise
      held = context.channel.allocator.buffer(capacity: min(bytes.readableBytes, 1 << 16))
      self.promise = nil
      context.write(wrapOutboundOut(bytes), promise: promise)
    }
    context.flush()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    promise?.fail(ChannelError.ioOnClosedChannel)
    promise = nil
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    isHolding = false
    if held.readableBytes > 0 { flush(context: context) }
    context.close(mode: mode, promise: promise)
  }
}
