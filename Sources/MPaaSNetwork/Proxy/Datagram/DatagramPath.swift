import NIOCore
import NIOPosix

/// The way of the datagrams of one client: a socket to the upstream, and a shaped link for each direction.
final class DatagramPath: LiveConnection {
  let client: SocketAddress
  private(set) var lastUse = NIODeadline.now()
  private let number: UInt64
  private let shard: LoopShard
  private let environment: ProxyEnvironment
  private weak var listener: DatagramListener?
  private var upstream: (any Channel)?
  private var up: PacketLink?
  private var down: PacketLink?
  /// The datagrams that came while the socket was being opened.
  private var early: [ByteBuffer] = []
  private var isOver = false

  init(
    _ client: SocketAddress, number: UInt64, on shard: LoopShard, in environment: ProxyEnvironment,
    from listener: DatagramListener
  ) {
    self.client = client
    self.number = number
    self.shard = shard
    self.environment = environment
    self.listener = listener
  }

  func open(_ address: SocketAddress) {
    shard.insert(self)
    let conditions = shard.conditions
    up = PacketLink(
      .upstream, conditions.plan(.upstream, for: number), on: shard, holding: environment.holding
    ) { [unowned self] in
      send($0, .upstream)
    } flush: { [unowned self] in
      early.isEmpty ? upstream?.flush() : ()
    }
    down = PacketLink(
      .downstream, conditions.plan(.downstream, for: number), on: shard, holding: environment.holding
    ) { [unowned self] in
      send($0, .downstream)
    } flush: { [unowned self] in
      listener?.flush()
    }
    let path = NIOLoopBound(self, eventLoop: shard.loop)
    let opening = DatagramBootstrap(group: shard.loop).forPaths().channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(DatagramReplies(path.value))
      }
    }.connect(to: address)
    opening.assumeIsolated().whenComplete { result in
      switch result {
      case .success(let channel): path.value.opened(channel)
      case .failure(let error): path.value.fail(error)
      }
    }
  }

  private func opened(_ channel: any Channel) {
    guard !isOver else { return channel.close(promise: nil) }
    upstream = channel
    environment.events.note(.connectionOpened, shard.figures.proxy, details)
    for bytes in early { channel.write(envelope(bytes, channel), promise: nil) }
    early = []
    channel.flush()
  }

  func fail(_ error: any Error) {
    shard.figures.failedConnections += 1
    environment.events.note(
      .connectionFailed, shard.figures.proxy, details.merging(["reason": error.reason]) { _, new in new })
    if upstream == nil { drop() }
  }

  func receive(_ bytes: ByteBuffer, _ direction: Direction) {
    lastUse = .now()
    link(direction)?.receive(bytes, at: lastUse)
  }

  func pump(_ direction: Direction) { link(direction)?.pump() }

  private func link(_ direction: Direction) -> PacketLink? { direction == .upstream ? up : down }

  private func send(_ bytes: ByteBuffer, _ direction: Direction) {
    switch (direction, upstream) {
    case (.downstream, _): listener?.send(bytes, to: client)
    case (.upstream, let upstream?): upstream.write(envelope(bytes, upstream), promise: nil)
    case (.upstream, nil): if early.count < 256 { early.append(bytes) }
    }
  }

  private func envelope(_ bytes: ByteBuffer, _ channel: any Channel) -> AddressedEnvelope<ByteBuffer> {
    AddressedEnvelope(remoteAddress: channel.remoteAddress ?? client, data: bytes)
  }

  private var details: [String: String] {
    ["connection": String(number), "client": NetworkAddress(client).description]
  }

  func held(_ direction: Direction) -> Int { link(direction)?.held ?? 0 }

  func apply(_ conditions: ProxyConditions) {
    up?.change(to: conditions.plan(.upstream, for: number))
    down?.change(to: conditions.plan(.downstream, for: number))
  }

  /// Replies only: moved in both directions, a round trip would be moved twice.
  func delayAll(by duration: TimeAmount) {
    down?.delayAll(by: duration)
  }

  func drop() {
    guard !isOver else { return }
    isOver = true
    up?.cancel()
    down?.cancel()
    shard.remove(self)
    listener?.forget(self)
    upstream?.close(promise: nil)
    if upstream != nil { environment.events.note(.connectionClosed, shard.figures.proxy, details) }
  }
}

/// The datagrams from the upstream to one client.
private final class DatagramReplies: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>

  private let path: DatagramPath

  init(_ path: DatagramPath) { self.path = path }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    path.receive(unwrapInboundIn(data).data, .downstream)
  }

  func channelReadComplete(context: ChannelHandlerContext) { path.pump(.downstream) }

  /// Such as a port without a listener: the client hears nothing, as on any network that keeps that to itself.
  func errorCaught(context: ChannelHandlerContext, error: any Error) { path.fail(error) }

  func channelInactive(context: ChannelHandlerContext) { path.drop() }
}
