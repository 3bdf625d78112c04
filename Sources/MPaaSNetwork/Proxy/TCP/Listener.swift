package import NIOCore
import NIOPosix

/// A listening TCP socket that hands connections to the event loops and outlives a lack of descriptors.
package final class Listener: Sendable {
  private let channel: any Channel

  /// The address that it really listens on.
  package var address: String { channel.localAddress.map { NetworkAddress($0).description } ?? "" }

  private init(_ channel: any Channel) { self.channel = channel }

  /// Listens on `address`.
  ///
  /// - Parameters:
  ///   - onFailure: Told on an event loop why a connection could not be accepted.
  ///   - accept: Sets a connection up, on its event loop.
  package static func listen(
    on address: String, group: any EventLoopGroup, onFailure: @escaping @Sendable (IOError) -> Void,
    accept: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
  ) async throws(NetworkError) -> Listener {
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 4096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.maxMessagesPerRead, value: 16)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptPause(onFailure))
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.recvAllocator, value: StreamOptions.allocator)
      .childChannelOption(.maxMessagesPerRead, value: StreamOptions.readsAtOnce)
      .childChannelOption(.writeBufferWaterMark, value: StreamOptions.waterMark)
      .childChannelInitializer(accept)
    var last = NetworkError(.addressUnresolved, ["host": address])
    for candidate in try await NetworkAddress(address).forListening() {
      do {
        return Listener(try await bootstrap.bind(to: candidate).get())
      } catch {
        last = NetworkError(listeningOn: address, failed: error)
        if last.code == .addressInUse { break }
      }
    }
    throw last
  }

  package func close() async { try? await channel.close() }
}

/// Has a listener wait where the system has no descriptors for another connection.
///
/// The connections wait in the system meanwhile. Without the pause the socket would be found readable again at once, and
/// again; a read that is merely put off does not keep the loop from it, since the failed one still counts as wanted.
private final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = any Channel

  private static let length = TimeAmount.milliseconds(50)

  private let onFailure: @Sendable (IOError) -> Void
  private var isPaused = false

  init(_ onFailure: @escaping @Sendable (IOError) -> Void) { self.onFailure = onFailure }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? IOError else { return context.fireErrorCaught(error) }
    onFailure(error)
    guard error.isExhaustion, !isPaused else { return }
    isPaused = true
    try? context.channel.syncOptions?.setOption(.autoRead, value: false)
    let bound = NIOLoopBound((self, context.channel), eventLoop: context.eventLoop)
    context.eventLoop.scheduleTask(in: Self.length) {
      let (handler, channel) = bound.value
      handler.isPaused = false
      try? channel.syncOptions?.setOption(.autoRead, value: true)
    }
  }
}
