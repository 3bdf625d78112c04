import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import NIOTLS

/// Sets a connection up for one of the two versions.
enum MockPipeline {
  static func addHTTP1(
    to channel: any Channel, _ core: MockCore, _ place: MockPlace, _ watch: ConnectionWatch
  ) throws {
    let pipeline = channel.pipeline.syncOperations
    let raw = RawWriter()
    try pipeline.addHandler(raw)
    try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: true, withErrorHandling: true)
    try pipeline.addHandler(MockConnection(core, place, version: "HTTP/1.1", raw: raw, watch))
    // Not by the connection: it has no request that this would be the answer to.
    watch.refuse = { [weak raw] in
      raw?.writeLast(
        Array(
          "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n".utf8))
    }
  }

  static func addHTTP2(
    to channel: any Channel, _ core: MockCore, _ place: MockPlace, _ watch: ConnectionWatch
  ) throws {
    let settings: HTTP2Settings = [
      HTTP2Setting(parameter: .maxConcurrentStreams, value: 256),
      HTTP2Setting(parameter: .maxHeaderListSize, value: core.limits.head),
      HTTP2Setting(parameter: .initialWindowSize, value: 1 << 20),
    ]
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(NIOHTTP2Handler(mode: .server, initialSettings: settings))
    let bound = NIOLoopBound(watch, eventLoop: channel.eventLoop)
    watch.countsHeads = false
    let multiplexer = HTTP2StreamMultiplexer(mode: .server, channel: channel) { stream in
      stream.eventLoop.makeCompletedFuture {
        bound.value.streamOpened(stream)
        let pipeline = stream.pipeline.syncOperations
        let own = ConnectionWatch(core.limits, countsHeads: false)
        try pipeline.addHandler(own)
        try pipeline.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
        try pipeline.addHandler(MockConnection(core, place, version: "HTTP/2.0", raw: nil, own))
      }
    }
    try pipeline.addHandler(multiplexer)
    try pipeline.addHandler(ClosingOnError())
  }
}

/// Waits for the protocol that client and server agree on in TLS.
final class NegotiatedProtocol: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny
  typealias InboundOut = NIOAny

  private let core: MockCore
  private let place: MockPlace
  private let watch: ConnectionWatch

  init(_ core: MockCore, _ place: MockPlace, _ watch: ConnectionWatch) {
    self.core = core
    self.place = place
    self.watch = watch
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .handshakeCompleted(let name)? = event as? TLSUserEvent else {
      return context.fireUserInboundEventTriggered(event)
    }
    do {
      if name == "h2" {
        try MockPipeline.addHTTP2(to: context.channel, core, place, watch)
      } else {
        try MockPipeline.addHTTP1(to: context.channel, core, place, watch)
      }
    } catch {
      return context.close(promise: nil)
    }
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Waits for the first bytes, which tell HTTP/2 without TLS from HTTP/1.1.
final class SniffedProtocol: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let core: MockCore
  private let place: MockPlace
  private let watch: ConnectionWatch
  private var held: ByteBuffer?

  init(_ core: MockCore, _ place: MockPlace, _ watch: ConnectionWatch) {
    self.core = core
    self.place = place
    self.watch = watch
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if var before = held {
      before.writeBuffer(&bytes)
      bytes = before
    }
    let start = Array(bytes.readableBytesView.prefix(4))
    guard start.count == 4 || !"PRI ".utf8.starts(with: start) else {
      held = bytes
      return
    }
    do {
      if start.elementsEqual("PRI ".utf8) {
        try MockPipeline.addHTTP2(to: context.channel, core, place, watch)
      } else {
        try MockPipeline.addHTTP1(to: context.channel, core, place, watch)
      }
    } catch {
      return context.close(promise: nil)
    }
    held = nil
    context.fireChannelRead(wrapInboundOut(bytes))
    context.pipeline.syncOperations.removeHandler(self, promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Closes a connection that has failed.
final class ClosingOnError: ChannelInboundHandler {
  typealias InboundIn = Never

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is NIOHTTP2Errors.StreamError || error is NIOHTTP2Errors.NoSuchStream { return }
    context.close(promise: nil)
  }
}

/// Writes bytes behind the back of HTTP's encoder, for answers that are to be broken.
final class RawWriter: ChannelOutboundHandler {
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var context: ChannelHandlerContext?

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func write(_ bytes: [UInt8]) {
    guard let context else { return }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
  }

  /// Writes bytes, and then closes the connection.
  func writeLast(_ bytes: [UInt8]) {
    guard let context else { return }
    let loop = context.loopBound
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes))).whenComplete { _ in
      loop.value.close(promise: nil)
    }
  }
}
