package import NIOCore
import NIOPosix

/// A listening TCP socket that hands connections to the event loops and outlives a lack of descriptors.
package final class Listener: Sendable {
  /// How long it waits before it accepts again when there were no descriptors.
  private static let pause = TimeAmount.milliseconds(50)

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
          let backoff = AcceptBackoffHandler(shouldForwardIOErrorCaught: false) { error in
            onFailure(error)
            return error.isExhaustion ? pause : nil
          }
          try channel.pipeline.syncOperations.addHandler(backoff)
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
