import NIOCore
import NIOSSL

/// Keeps what a client sends until its first TLS record is whole, and has it read by TLS then (RFC 8446, section 5.1).
///
/// Bytes that begin no handshake go to TLS at once, which refuses them.
final class ClientHelloGate: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer

  private static let handshake: UInt8 = 22
  private static let headSize = 5
  /// The most bytes of a record in plain text.
  private static let mostBytes = 1 << 14

  private let tls: NIOSSLContext
  private let patience: TimeAmount?
  private let connections: Connections?
  private let onOpening: (NIODeadline?) -> Void
  private let begin = NIODeadline.now()
  private var kept: ByteBuffer?
  private var isOpen = false
  private var limit: Scheduled<Void>?

  /// - Parameters:
  ///   - patience: The time that a client has for its first record; nil where others end it.
  ///   - connections: Those whose reserve has less patience.
  ///   - onOpening: Called once: when TLS is there, before anything is read by it, with the time since which the
  ///     client was waited for; or with nil where the connection has ended before.
  init(
    _ tls: NIOSSLContext, patience: TimeAmount? = nil, _ connections: Connections? = nil,
    onOpening: @escaping (NIODeadline?) -> Void = { _ in }
  ) {
    self.tls = tls
    self.patience = patience
    self.connections = connections
    self.onOpening = onOpening
  }

  func handlerAdded(context: ChannelHandlerContext) {
    guard var patience else { return }
    if connections?.isReserved(context.channel) ?? false { patience = min(patience, Connections.reservePatience) }
    limit = context.eventLoop.assumeIsolated().scheduleTask(in: patience) { context.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    limit?.cancel()
    if !isOpen { onOpening(nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    if var before = kept {
      // Alone with its memory, the buffer grows without a copy of it.
      kept = nil
      before.writeBuffer(&bytes)
      bytes = before
    }
    guard Self.isWhole(bytes) else { return kept = bytes }
    isOpen = true
    do {
      let handler = NIOSSLServerHandler(context: tls)
      try context.pipeline.syncOperations.addHandler(handler, position: .after(self))
    } catch {
      isOpen = false
      return context.close(promise: nil)
    }
    onOpening(begin)
    context.fireChannelRead(wrapInboundOut(bytes))
    context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if kept == nil { context.fireChannelReadComplete() } else { context.read() }
  }

  /// Closes where the client says no more, or the server is about to end.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  /// Passes on what TLS writes; nothing goes out in plain text.
  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard isOpen else {
      promise?.fail(ChannelError.ioOnClosedChannel)
      return
    }
    context.write(data, promise: promise)
  }

  /// True where the first record has come, or what came is none.
  static func isWhole(_ bytes: ByteBuffer) -> Bool {
    let begin = bytes.readerIndex
    guard let kind: UInt8 = bytes.getInteger(at: begin) else { return false }
    guard kind == handshake else { return true }
    guard let size: UInt16 = bytes.getInteger(at: begin + 3) else { return false }
    return size > mostBytes || bytes.readableBytes >= headSize + Int(size)
  }
}
