package import NIOCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Puts both directions of the connection to a client through its conditions, whatever is spoken above.
///
/// As the first handler of a client's channel (below TLS and the codecs) it holds what the client sends on its way up
/// and what is written to the client on its way down. Add it on the channel's event loop; it enters itself in the
/// proxy's table and leaves it when the channel ends, so that live changes, the buttons and the figures reach it.
///
/// Back-pressure: what the client sends is not read while too much of it is held. Writers to the client look at
/// `isFull` beside the channel's writability, and hear of it by the event `Fullness`.
package final class ShapingHandler: ChannelDuplexHandler {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer
  package typealias OutboundIn = ByteBuffer
  package typealias OutboundOut = ByteBuffer

  /// Told upwards when writers should wait, and when they may go on.
  package struct Fullness: Sendable, Equatable {
    package let isFull: Bool
  }

  /// The number of the connection.
  package let number: UInt64
  /// Tells whether writers should wait.
  package private(set) var isFull = false
  private let shard: LoopShard
  private let holding: Int
  private var up: ShapedLink?
  private var down: ShapedLink?
  private var context: ChannelHandlerContext?
  private var readIsPending = false
  /// The close of a writer, and its promise: the mode, and the promise to keep.
  private var closing: (mode: CloseMode, promise: EventLoopPromise<Void>?)?
  private var hasPassed = false

  package init(number: UInt64, on shard: LoopShard, holding: Int) {
    self.number = number
    self.shard = shard
    self.holding = holding
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let conditions = shard.conditions
    up = ShapedLink(.upstream, plan: conditions.plan(.upstream, for: number), on: shard, to: self)
    down = ShapedLink(.downstream, plan: conditions.plan(.downstream, for: number), on: shard, to: self)
    shard.insert(self)
    if conditions.isFlightMode(for: number) { reset(.upstream) }
  }

  package func handlerRemoved(context: ChannelHandlerContext) { leave() }

  package func channelInactive(context: ChannelHandlerContext) {
    leave()
    context.fireChannelInactive()
  }

  // MARK: What the client sends

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if up?.receive(unwrapInboundIn(data)) ?? true { hasPassed = true }
  }

  package func channelReadComplete(context: ChannelHandlerContext) {
    up?.pump()
    if hasPassed { flush(.upstream) }
  }

  package func read(context: ChannelHandlerContext) {
    if let up, up.footprint >= holding {
      readIsPending = true
    } else {
      context.read()
    }
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed? = event as? ChannelEvent {
      up?.end()
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  // MARK: What is sent to the client

  /// Takes bytes for the client; the promise is kept when they are held, not when they are sent.
  package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard let down else {
      context.write(data, promise: promise)
      return
    }
    _ = down.receive(unwrapOutboundIn(data))
    promise?.succeed()
  }

  package func flush(context: ChannelHandlerContext) {
    down?.pump()
    context.flush()
    tellFullness()
  }

  /// Closes once what is held has gone on.
  package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    guard mode != .input, let down, closing == nil else {
      context.close(mode: mode, promise: promise)
      return
    }
    closing = (mode, promise)
    down.end()
  }

  private func tellFullness() {
    let isFullNow = (down?.footprint ?? 0) >= (isFull ? holding / 2 : holding)
    guard isFullNow != isFull else { return }
    isFull = isFullNow
    context?.fireUserInboundEventTriggered(Fullness(isFull: isFullNow))
  }

  private func leave() {
    up?.cancel()
    down?.cancel()
    up = nil
    down = nil
    context = nil
    shard.remove(self)
    closing?.promise?.succeed()
    closing = nil
  }
}

extension ShapingHandler: ShapedLinkSink {
  package func pass(_ bytes: ByteBuffer, _ direction: Direction) {
    switch direction {
    case .upstream: context?.fireChannelRead(wrapInboundOut(bytes))
    case .downstream: context?.write(wrapOutboundOut(bytes), promise: nil)
    }
  }

  package func flush(_ direction: Direction) {
    switch direction {
    case .upstream:
      hasPassed = false
      context?.fireChannelReadComplete()
      if readIsPending, let up, up.footprint < holding {
        readIsPending = false
        context?.read()
      }
    case .downstream:
      context?.flush()
      tellFullness()
    }
  }

  package func finish(_ direction: Direction) {
    switch direction {
    case .upstream: context?.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    case .downstream:
      guard let context, let (mode, promise) = closing else { return }
      closing = nil
      context.closeWhenSent(mode, promise)
    }
  }

  package func close(_ direction: Direction) {
    let promise = closing?.promise
    closing = nil
    context?.closeWhenSent(.all, promise)
  }

  package func reset(_ direction: Direction) {
    context?.channel.resetWhenClosed()
    context?.close(promise: nil)
  }
}

extension ShapingHandler: LiveConnection {
  package func held(_ direction: Direction) -> Int { (direction == .upstream ? up : down)?.held ?? 0 }

  package func apply(_ conditions: ProxyConditions) {
    up?.change(to: conditions.plan(.upstream, for: number))
    down?.change(to: conditions.plan(.downstream, for: number))
    if conditions.isFlightMode(for: number) { reset(.upstream) }
  }

  /// Replies only: moved in both directions, a round trip would be moved twice.
  package func delayAll(by duration: TimeAmount) {
    down?.delayAll(by: duration)
  }

  package func drop() { context?.close(promise: nil) }
}

extension ChannelHandlerContext {
  /// Closes once all that was written has left; a plain close drops it.
  package func closeWhenSent(_ mode: CloseMode, _ promise: EventLoopPromise<Void>?) {
    let waiting = (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    guard waiting > 0 else {
      close(mode: mode, promise: promise)
      return
    }
    let context = NIOLoopBound(self, eventLoop: eventLoop)
    writeAndFlush(NIOAny(ByteBuffer())).whenComplete { _ in context.value.close(mode: mode, promise: promise) }
  }
}

extension Channel {
  /// Has the close that follows send a reset instead of an orderly end.
  package func resetWhenClosed() {
    _ = (self as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
  }
}
