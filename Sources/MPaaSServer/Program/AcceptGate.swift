import NIOCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Stands before the socket that accepts connections: stops accepting while all places are taken, and for a moment
/// where the machine has no descriptor or memory for one more.
final class AcceptGate: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = any Channel

  /// The time that it waits for a descriptor; whoever waits to be accepted stands in the system's queue meanwhile.
  private static let pause = TimeAmount.milliseconds(200)

  /// The bytes that the system takes of a connection before they can be sent (`TCP_NOTSENT_LOWAT`).
  ///
  /// The system's buffers for what is on its way still grow with the line; what is not read fills no megabytes of them.
  private static let mostUnsent: SocketOptionValue = 32 << 10
  private static let unsentBytes = ChannelOptions.Types.SocketOption(
    level: .tcp, name: NIOBSDSocket.Option(rawValue: CInt(TCP_NOTSENT_LOWAT)))

  /// The most connections that are accepted in one turn of the event loop.
  ///
  /// A turn also serves those that are there, and what hands them on takes a task's time: with four, as is usual, a
  /// short request waits for all the work of hundreds that came before it. With hundreds, it waits for a turn of hundreds
  /// at each of its steps: to be accepted, to be listened to, to be read.
  private static let burst = 32

  private let connections: Connections
  private let counts: ServerCounts

  init(_ connections: Connections, _ counts: ServerCounts) {
    self.connections = connections
    self.counts = counts
  }

  func handlerAdded(context: ChannelHandlerContext) { pace(context.channel) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = unwrapInboundIn(data)
    let (connections, server) = (connections, context.channel)
    connections.open(channel)
    // The server works without it, only slower among clients that do not read.
    channel.setOption(Self.unsentBytes, value: Self.mostUnsent).whenFailure { _ in }
    channel.closeFuture.whenComplete { _ in
      connections.close(channel)
      server.eventLoop.execute { if !connections.isFull { Self.accept(true, server) } }
    }
    context.fireChannelRead(data)
    if connections.isFull { Self.accept(false, server) } else { pace(server) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let code = (error as? IOError)?.errnoCode else { return context.fireErrorCaught(error) }
    switch code {
    case EMFILE, ENFILE, ENOBUFS, ENOMEM:
      counts.add("paused.accept")
      let (connections, server) = (connections, context.channel)
      Self.accept(false, server)
      server.eventLoop.scheduleTask(in: Self.pause) { if !connections.isFull { Self.accept(true, server) } }
    // The client is gone already; others wait.
    case ECONNABORTED: break
    default: context.fireErrorCaught(error)
    }
  }

  /// Accepts at most half of what places there are in the next turn, a power of two: no turn goes beyond the last
  /// place.
  private func pace(_ server: any Channel) {
    let left = connections.left
    let most = left < 2 ? 1 : UInt(min(Self.burst, 1 << (Int.bitWidth - 2 - left.leadingZeroBitCount)))
    guard let options = server.syncOptions, (try? options.getOption(.maxMessagesPerRead)) != most else { return }
    try? options.setOption(.maxMessagesPerRead, value: most)
  }

  /// Turns accepting on or off; merely not asking for more would leave the loop spinning on a socket that is ready.
  private static func accept(_ isOn: Bool, _ server: any Channel) {
    try? server.syncOptions?.setOption(.autoRead, value: isOn)
  }
}
