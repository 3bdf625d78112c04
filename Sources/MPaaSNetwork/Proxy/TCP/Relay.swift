import NIOCore

/// A connection through a proxy: two channels on one event loop, and a shaped link for each direction.
///
/// Half-closes pass on as half-closes and resets as resets, each after the bytes that came before. A side is read only
/// while the other takes what is sent to it and its link holds less than it may.
final class Relay {
  let number: UInt64
  private let shard: LoopShard
  private let environment: ProxyEnvironment
  private let client = RelayEnd(.upstream)
  private let server = RelayEnd(.downstream)
  private var up: ShapedLink?
  private var down: ShapedLink?
  /// The bytes of the client before there was a server.
  private var early: [ByteBuffer]
  private var isClosing = false
  private var isOver = false
  private let clientChannel: any Channel

  /// - Parameter early: What was read of the client already and is to go on to the server.
  init(
    _ client: any Channel, number: UInt64, on shard: LoopShard, in environment: ProxyEnvironment,
    early: [ByteBuffer] = []
  ) {
    clientChannel = client
    self.number = number
    self.shard = shard
    self.environment = environment
    self.early = early
  }

  /// Takes the client's channel over, on its loop.
  ///
  /// - Parameter isNew: Whether it is counted, and was not while it opened.
  func begin(isNew: Bool = true) throws {
    client.relay = self
    server.relay = self
    try clientChannel.pipeline.syncOperations.addHandler(client)
    shard.insert(self, isNew: isNew)
  }

  /// Connects to the upstream; where there is no network, resets the client.
  ///
  /// - Parameter onConnect: Done before anything passes, such as an answer to the client.
  func dial(_ dialer: Dialer, onConnect: ((Result<Void, any Error>) -> Void)? = nil) {
    guard !shard.conditions.isFlightMode(for: number) else {
      fail("flight mode")
      reset(.upstream)
      return
    }
    let (relay, end) = (NIOLoopBound(self, eventLoop: shard.loop), NIOLoopBound(server, eventLoop: shard.loop))
    let connecting = dialer.dial(on: shard.loop) { channel in
      channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(end.value) }
    }
    connecting.assumeIsolated().whenComplete { result in
      let relay = relay.value
      switch result {
      case .success where relay.isClosing: relay.server.close()
      case .success:
        onConnect?(.success(()))
        relay.connected()
      case .failure(let error):
        relay.fail(error.reason)
        onConnect?(.failure(error))
        relay.drop(whenSent: true)
      }
    }
  }

  private func connected() {
    let conditions = shard.conditions
    up = ShapedLink(.upstream, plan: conditions.plan(.upstream, for: number), on: shard, to: self)
    down = ShapedLink(.downstream, plan: conditions.plan(.downstream, for: number), on: shard, to: self)
    environment.events.note(.connectionOpened, shard.figures.proxy, details)
    if conditions.isFlightMode(for: number) {
      reset(.upstream)
      return
    }
    for bytes in early { _ = up?.receive(bytes) }
    early = []
    server.context?.flush()
    // Also starts the clocks of conditions that need no bytes, such as a reset.
    up?.pump()
    down?.pump()
    if client.hasEnded { up?.end() }
    client.resume()
    server.resume()
  }

  func fail(_ reason: String) {
    shard.figures.failedConnections += 1
    environment.events.note(
      .connectionFailed, shard.figures.proxy, details.merging(["reason": reason]) { _, new in new })
  }

  private var details: [String: String] {
    let address = clientChannel.remoteAddress.map { NetworkAddress($0).description }
    return ["connection": String(number), "client": address ?? ""]
  }

  private func link(from end: RelayEnd) -> ShapedLink? { end === client ? up : down }
  private func other(_ end: RelayEnd) -> RelayEnd { end === client ? server : client }
  private func target(_ direction: Direction) -> RelayEnd { direction == .upstream ? server : client }
  private func source(_ direction: Direction) -> RelayEnd { direction == .upstream ? client : server }
}

// MARK: What the ends tell

extension Relay {
  func received(_ bytes: ByteBuffer, from end: RelayEnd) {
    if let link = link(from: end) {
      if link.receive(bytes) { end.hasPassed = true }
    } else if !isClosing {
      early.append(bytes)
    }
  }

  func receivedAll(from end: RelayEnd) {
    if end.hasPassed {
      end.hasPassed = false
      other(end).context?.flush()
    } else {
      link(from: end)?.pump()
    }
  }

  func mayRead(_ end: RelayEnd) -> Bool {
    guard let link = link(from: end), let target = other(end).context else { return false }
    return link.footprint < environment.holding && target.channel.isWritable
  }

  func becameWritable(_ end: RelayEnd) { other(end).resume() }

  func ended(_ end: RelayEnd) { link(from: end)?.end() }

  /// The channel of an end is no more.
  func gone(_ end: RelayEnd) {
    if client.context == nil && server.context == nil { return over() }
    guard !isClosing else { return }
    guard let link = link(from: end) else { return drop() }
    link.other(up, down)?.cancel()
    let isOrderly = !end.hasFailed && (end.hasEnded || end.isFinished)
    if other(end).isFinished, !isOrderly {
      reset(link.direction)
    } else if !end.hasEnded || !isOrderly {
      link.end(withReset: !isOrderly)
    }
  }

  private func over() {
    guard !isOver else { return }
    isOver = true
    isClosing = true
    up?.cancel()
    down?.cancel()
    client.relay = nil
    server.relay = nil
    shard.remove(self)
    if up != nil { environment.events.note(.connectionClosed, shard.figures.proxy, details) }
  }
}

extension ShapedLink {
  /// The one of two links that it is not.
  fileprivate func other(_ first: ShapedLink?, _ second: ShapedLink?) -> ShapedLink? {
    self === first ? second : first
  }
}

// MARK: What the links tell

extension Relay: ShapedLinkSink {
  func pass(_ bytes: ByteBuffer, _ direction: Direction) {
    target(direction).context?.write(NIOAny(bytes), promise: nil)
  }

  func flush(_ direction: Direction) {
    target(direction).context?.flush()
    source(direction).resume()
  }

  func finish(_ direction: Direction) {
    let target = target(direction)
    target.isFinished = true
    target.context?.closeWhenSent(source(direction).isFinished ? .all : .output, nil)
    if source(direction).isFinished { source(direction).context?.closeWhenSent(.all, nil) }
  }

  func close(_ direction: Direction) {
    guard beginClosing() else { return }
    client.context?.closeWhenSent(.all, nil)
    server.context?.closeWhenSent(.all, nil)
  }

  func reset(_ direction: Direction) {
    isClosing = true
    for end in [client, server] {
      end.context?.channel.resetWhenClosed()
      end.close()
    }
  }

  private func beginClosing() -> Bool {
    defer { isClosing = true }
    up?.cancel()
    down?.cancel()
    return !isClosing
  }
}

// MARK: What the table tells

extension Relay: LiveConnection {
  func held(_ direction: Direction) -> Int { (direction == .upstream ? up : down)?.held ?? 0 }

  func apply(_ conditions: ProxyConditions) {
    if conditions.isFlightMode(for: number) { return reset(.upstream) }
    up?.change(to: conditions.plan(.upstream, for: number))
    down?.change(to: conditions.plan(.downstream, for: number))
  }

  /// Replies only: moved in both directions, a round trip would be moved twice.
  func delayAll(by duration: TimeAmount) {
    down?.delayAll(by: duration)
  }

  func drop() { drop(whenSent: false) }

  /// Closes both channels, after what has been written where `whenSent`.
  func drop(whenSent: Bool) {
    isClosing = true
    if whenSent { client.context?.closeWhenSent(.all, nil) } else { client.close() }
    server.close()
    if client.context == nil && server.context == nil { over() }
  }

  /// Tells the client something of the proxy's own.
  func answer(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    client.context?.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
  }
}
