package import NIOCore
import NIOPosix

/// Opens connections to an upstream.
package struct Dialer: Sendable {
  /// The time that an upstream may take to answer.
  private static let patience = TimeAmount.seconds(10)

  private let address: NetworkAddress
  private let literal: SocketAddress?

  package init(_ address: NetworkAddress) {
    self.address = address
    literal = address.host == "localhost" ? nil : address.literal
  }

  /// Connects on `loop`, so that both channels of a connection are of one loop.
  package func dial(
    on loop: any EventLoop, initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) -> EventLoopFuture<any Channel> {
    let bootstrap = ClientBootstrap(group: loop).connectTimeout(Self.patience)
      .forRelay()
      .channelInitializer(initializer)
    if let literal { return bootstrap.connect(to: literal) }
    return bootstrap.connect(host: address.host, port: address.port)
  }
}

/// The settings of proxied streams' sockets.
enum StreamOptions {
  /// Small where little is said, so that idle connections cost little; large where much flows, so that calls are few.
  static let allocator = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2048, maximum: 512 << 10)
  static let waterMark = ChannelOptions.Types.WriteBufferWaterMark(low: 256 << 10, high: 1 << 20)
  /// Two, so that one buffer is filled again while the other is on its way.
  static let readsAtOnce: UInt = 2
}

extension ClientBootstrap {
  /// With the options of proxied streams.
  func forRelay() -> ClientBootstrap {
    channelOption(.allowRemoteHalfClosure, value: true)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.recvAllocator, value: StreamOptions.allocator)
      .channelOption(.maxMessagesPerRead, value: StreamOptions.readsAtOnce)
      .channelOption(.writeBufferWaterMark, value: StreamOptions.waterMark)
  }
}
