import NIOCore
import Synchronization

/// The size of a connection's reads: a lot while there are few, little while there are many.
///
/// Up to ten reads of each connection wait for what takes them, so with hundreds of uploads this is most of the memory.
/// A connection that is one of many reads once in each turn of its event loop, so that those that ask for little wait
/// for one read of each other connection at most.
final class ReadingSize: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = Never

  private static let few = 48
  private static let open = Atomic<Int>(0)

  func handlerAdded(context: ChannelHandlerContext) {
    let count = Self.open.wrappingAdd(1, ordering: .relaxed).newValue
    context.channel.closeFuture.whenComplete { _ in Self.open.wrappingSubtract(1, ordering: .relaxed) }
    let isOneOfMany = count > Self.few
    let most = isOneOfMany ? 8 << 10 : 64 << 10
    _ = context.channel.setOption(
      .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 4096, maximum: most))
    if isOneOfMany { _ = context.channel.setOption(.maxMessagesPerRead, value: 1) }
  }
}
