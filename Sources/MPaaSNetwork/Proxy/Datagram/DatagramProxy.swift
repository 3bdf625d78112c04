import NIOCore
import NIOPosix
import Synchronization

/// Datagrams from a socket to an upstream and back; each client address has a path with a socket of its own.
///
/// All paths live on the loop of the listening socket, so that no datagram changes threads.
final class DatagramProxy: ProxyServer {
  private let definition: ProxyDefinition
  private let environment: ProxyEnvironment
  private let table: ConnectionTable
  private let listener = Mutex<(any Channel)?>(nil)

  init(
    _ definition: ProxyDefinition, under conditions: ProxyConditions, in environment: ProxyEnvironment
  ) throws(NetworkError) {
    _ = try NetworkAddress(definition.upstream)
    self.definition = definition
    self.environment = environment
    table = ConnectionTable(environment.group, proxy: definition.name, under: conditions)
  }

  func start() async throws(NetworkError) -> String {
    let upstream = try await NetworkAddress(definition.upstream).forListening()[0]
    let (table, environment) = (table, environment)
    let bootstrap = DatagramBootstrap(group: environment.group.any()).forPaths().channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        guard let shard = table.shard(on: channel.eventLoop) else { return }
        try channel.pipeline.syncOperations.addHandler(
          DatagramListener(upstream, table: table, shard: shard, environment: environment))
      }
    }
    var last = NetworkError(.addressUnresolved, ["host": definition.listen])
    for candidate in try await NetworkAddress(definition.listen).forListening() {
      do {
        let channel = try await bootstrap.bind(to: candidate).get()
        listener.withLock { $0 = channel }
        return channel.localAddress.map { NetworkAddress($0).description } ?? definition.listen
      } catch {
        last = NetworkError(listeningOn: definition.listen, failed: error)
      }
    }
    throw last
  }

  func apply(_ conditions: ProxyConditions) async { await table.apply(conditions) }

  func delayAll(by duration: Duration) async { await table.delayAll(by: duration) }

  func statistics() async -> ProxyStatistics { await table.statistics() }

  func stop() async {
    let channel = listener.withLock { channel in
      defer { channel = nil }
      return channel
    }
    try? await channel?.close()
    await table.dropAll()
  }
}

extension DatagramBootstrap {
  /// With room for the largest datagram, and several read at once.
  func forPaths() -> DatagramBootstrap {
    channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16 << 16))
      .channelOption(.datagramVectorReadMessageCount, value: 16)
      .channelOption(.socketOption(.so_reuseaddr), value: 1)
  }
}

/// The socket that clients send to.
final class DatagramListener: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  typealias OutboundOut = AddressedEnvelope<ByteBuffer>

  /// The greatest number of clients of a proxy: beyond it the datagrams of new ones are lost.
  private static let mostPaths = 10_000
  /// The time that a path without datagrams is kept.
  private static let patience = TimeAmount.seconds(60)

  private let upstream: SocketAddress
  private let table: ConnectionTable
  private let shard: LoopShard
  private let environment: ProxyEnvironment
  private var paths: [SocketAddress: DatagramPath] = [:]
  /// Paths that have got something to send since the last flush.
  private var touched: [ObjectIdentifier: DatagramPath] = [:]
  private var context: ChannelHandlerContext?
  private var sweep: RepeatedTask?

  init(_ upstream: SocketAddress, table: ConnectionTable, shard: LoopShard, environment: ProxyEnvironment) {
    self.upstream = upstream
    self.table = table
    self.shard = shard
    self.environment = environment
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let handler = NIOLoopBound(self, eventLoop: shard.loop)
    sweep = shard.loop.scheduleRepeatedTask(initialDelay: .seconds(10), delay: .seconds(10)) { _ in
      handler.value.dropIdle()
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    sweep?.cancel()
    self.context = nil
    for path in paths.values { path.drop() }
    paths = [:]
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    guard let path = path(for: envelope.remoteAddress) else { return }
    path.receive(envelope.data, .upstream)
    touched[ObjectIdentifier(path)] = path
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    for path in touched.values { path.pump(.upstream) }
    touched.removeAll(keepingCapacity: true)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}

  private func path(for client: SocketAddress) -> DatagramPath? {
    if let path = paths[client] { return path }
    guard paths.count < Self.mostPaths else {
      shard.figures.upstream.lost += 1
      return nil
    }
    let path = DatagramPath(client, number: table.nextNumber(), on: shard, in: environment, from: self)
    paths[client] = path
    path.open(upstream)
    return path
  }

  func send(_ bytes: ByteBuffer, to client: SocketAddress) {
    context?.write(wrapOutboundOut(AddressedEnvelope(remoteAddress: client, data: bytes)), promise: nil)
  }

  func flush() { context?.flush() }

  func forget(_ path: DatagramPath) { if paths[path.client] === path { paths[path.client] = nil } }

  private func dropIdle() {
    let oldest = NIODeadline.now() - Self.patience
    for path in paths.values where path.lastUse < oldest { path.drop() }
  }
}
