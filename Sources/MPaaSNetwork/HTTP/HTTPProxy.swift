import NIOCore
import NIOPosix
import Synchronization

/// Requests and replies of HTTP/1.1 and HTTP/2 from a listener to one upstream.
final class HTTPProxy: ProxyServer {
  private let definition: ProxyDefinition
  private let environment: ProxyEnvironment
  private let table: ConnectionTable
  private let service: HTTPService
  private let tls: ClientTLS?
  private let flights: Flights
  private let listener = Mutex<Listener?>(nil)

  init(
    _ definition: ProxyDefinition, under conditions: ProxyConditions, in environment: ProxyEnvironment
  ) throws(NetworkError) {
    self.definition = definition
    self.environment = environment
    service = try HTTPService(definition, under: conditions, in: environment)
    tls = try definition.tls.flatMap { tls throws(NetworkError) in try ClientTLS(tls) }
    table = ConnectionTable(environment.group, proxy: definition.name, under: conditions)
    flights = Flights(environment.group)
  }

  func start() async throws(NetworkError) -> String {
    let (table, service, tls, flights) = (table, service, tls, flights)
    let name = definition.name
    let (events, holding) = (environment.events, environment.holding)
    let listener = try await Listener.listen(on: definition.listen, group: environment.group) { error in
      events.note(.connectionFailed, name, ["reason": error.reason])
    } accept: { channel in
      channel.eventLoop.makeCompletedFuture {
        guard let shard = table.shard(on: channel.eventLoop) else { return }
        let number = table.nextNumber()
        if shard.conditions.isFlightMode(for: number) { shard.figures.failedConnections += 1 }
        let shaping = ShapingHandler(number: number, on: shard, holding: holding)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(shaping)
        if let tls { try pipeline.addHandler(tls.handler) }
        try pipeline.addHandler(HTTPGreetingHandler(service, shaping, on: shard, flights))
        let client = channel.remoteAddress.map { NetworkAddress($0).description } ?? ""
        events.note(.connectionOpened, name, ["client": client, "connection": "\(number)"])
        channel.closeFuture.whenComplete { _ in
          events.note(.connectionClosed, name, ["client": client, "connection": "\(number)"])
        }
      }
    }
    self.listener.withLock { $0 = listener }
    return listener.address
  }

  func apply(_ conditions: ProxyConditions) async {
    service.apply(conditions)
    await table.apply(conditions)
  }

  /// Moves the replies of the requests in flight; where a connection has none, the bytes that it holds.
  func delayAll(by duration: Duration) async {
    let amount = TimeAmount(duration)
    let flights = flights
    await table.onAllLoops { shard in
      let here = flights.here(shard.loop)
      for connection in shard.all {
        let number = (connection as? ShapingHandler)?.number
        let wasMoved = number.flatMap { here?.connections[$0] }?.delayAll(by: amount) ?? false
        if !wasMoved || (amount < .zero && connection.held(.downstream) > 0) { connection.delayAll(by: amount) }
      }
    }
  }

  func statistics() async -> ProxyStatistics { await table.statistics() }

  func stop() async {
    let listener = self.listener.withLock { listener in
      defer { listener = nil }
      return listener
    }
    await listener?.close()
    await table.dropAll()
  }
}

/// A connection that has requests in flight, on its event loop.
protocol HTTPFlight: AnyObject {
  /// - Returns: Whether there was a request to move.
  func delayAll(by amount: TimeAmount) -> Bool
}

extension HTTP1Relay: HTTPFlight {}

/// The connections of an HTTP proxy by their number, each loop's on that loop.
final class Flights: Sendable {
  final class Loop { var connections: [UInt64: any HTTPFlight] = [:] }

  private let loops: [ObjectIdentifier: NIOLoopBoundBox<Loop>]

  init(_ group: any EventLoopGroup) {
    var loops: [ObjectIdentifier: NIOLoopBoundBox<Loop>] = [:]
    for loop in group.makeIterator() {
      loops[ObjectIdentifier(loop)] = .makeBoxSendingValue(Loop(), eventLoop: loop)
    }
    self.loops = loops
  }

  func here(_ loop: any EventLoop) -> Loop? { loops[ObjectIdentifier(loop)]?.value }
}

/// Finds out whether a client speaks HTTP/1.1 or HTTP/2, by its first bytes (RFC 9113 section 3.4).
final class HTTPGreetingHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  private let service: HTTPService
  private let shaping: ShapingHandler
  private let shard: LoopShard
  private let flights: Flights
  private var bytes = ByteBuffer()

  init(_ service: HTTPService, _ shaping: ShapingHandler, on shard: LoopShard, _ flights: Flights) {
    self.service = service
    self.shaping = shaping
    self.shard = shard
    self.flights = flights
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var part = unwrapInboundIn(data)
    if bytes.readableBytes == 0 { bytes = part } else { bytes.writeBuffer(&part) }
    let view = bytes.readableBytesView.prefix(Self.preface.count)
    guard !view.isEmpty else { return }
    if !Self.preface.starts(with: view) {
      let relay = HTTP1Relay(service, shaping, on: shard)
      begin(relay, [HTTP1ClientHandler(relay)], context)
    } else if view.count == Self.preface.count {
      let relay = HTTP2Relay(service, shaping, on: shard, context.channel)
      begin(relay, relay.handlers(), context)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func begin(_ flight: any HTTPFlight, _ handlers: [any ChannelHandler], _ context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    let number = shaping.number
    guard let here = flights.here(shard.loop), (try? pipeline.addHandlers(handlers, position: .after(self))) != nil
    else {
      return context.close(promise: nil)
    }
    here.connections[number] = flight
    context.channel.closeFuture.assumeIsolated().whenComplete { _ in here.connections[number] = nil }
    context.fireChannelRead(wrapInboundOut(bytes))
    context.fireChannelReadComplete()
    bytes = ByteBuffer()
    pipeline.removeHandler(self, promise: nil)
  }
}
