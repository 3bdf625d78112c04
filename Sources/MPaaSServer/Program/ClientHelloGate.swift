import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// A channel that sets up TLS once the client's first record is whole.
///
/// The state of a TLS connection takes a tenth of a millisecond to make. A thousand clients that begin a handshake and do
/// not go on would keep others waiting for it.
struct PatientTLSChannel: ServerChildChannel {
  let base: HTTP1Channel
  let tls: NIOSSLContext

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    channel.eventLoop.makeCompletedFuture { [tls] in
      try channel.pipeline.syncOperations.addHandler(ClientHelloGate(tls))
    }.flatMap { base.setup(channel: channel, logger: logger) }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }
}

/// Keeps what a client sends until its first TLS record is whole, and has it read by TLS then (RFC 8446, section 5.1).
///
/// What begins no handshake goes to TLS at once, which refuses it.
final class ClientHelloGate: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer

  private static let handshake: UInt8 = 22
  private static let headSize = 5
  /// The most bytes of a record in plain text.
  private static let mostBytes = 1 << 14

  private let tls: NIOSSLContext
  private var kept: ByteBuffer?
  private var isOpen = false

  init(_ tls: NIOSSLContext) { self.tls = tls }

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
      return context.close(promise: nil)
    }
    context.fireChannelRead(wrapInboundOut(bytes))
    context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if kept == nil { context.fireChannelReadComplete() } else { context.read() }
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
