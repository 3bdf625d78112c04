import NIOCore
import NIOPosix
import Synchronization

/// Name service over UDP and TCP on one port, led to one server or to the system's.
final class DNSProxy: ProxyServer {
  private struct Sockets {
    var datagrams: (any Channel)?
    var streams: Listener?
  }

  private let definition: ProxyDefinition
  private let environment: ProxyEnvironment
  private let table: ConnectionTable
  private let conditions: ProxyConditions
  private let servers: [NetworkAddress]
  private let service = Mutex<DNSService?>(nil)
  private let sockets = Mutex(Sockets())
  private let lookups: DNSLookups

  init(
    _ definition: ProxyDefinition, under conditions: ProxyConditions, in environment: ProxyEnvironment
  ) throws(NetworkError) {
    self.definition = definition
    self.environment = environment
    self.conditions = conditions
    servers = try ResolverList.servers(of: definition)
    table = ConnectionTable(environment.group, proxy: definition.name, under: conditions)
    lookups = DNSLookups(environment.group)
  }

  func start() async throws(NetworkError) -> String {
    var addresses: [SocketAddress] = []
    for server in servers { addresses.append(contentsOf: try await server.forListening().prefix(1)) }
    let service = DNSService(definition.name, addresses, under: conditions, in: environment)
    self.service.withLock { $0 = service }
    // A free port of UDP may be another program's of TCP: then another one is tried.
    for _ in 0..<20 {
      let address = try await listenToDatagrams(service)
      do {
        let listener = try await listenToStreams(service, on: address)
        sockets.withLock { $0.streams = listener }
        return address
      } catch {
        await closeDatagrams()
        guard error.code == .addressInUse, definition.listen.hasSuffix(":0") else { throw error }
      }
    }
    throw NetworkError(.addressInUse, ["address": definition.listen])
  }

  private func listenToDatagrams(_ service: DNSService) async throws(NetworkError) -> String {
    let (table, lookups) = (table, lookups)
    let bootstrap = DatagramBootstrap(group: environment.group.any()).channelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        guard let shard = table.shard(on: channel.eventLoop) else { return }
        let handler = DNSDatagramHandler(service, table, on: shard)
        lookups.here(channel.eventLoop)?.datagrams = handler
        try channel.pipeline.syncOperations.addHandler(handler)
      }
    }
    var last = NetworkError(.addressUnresolved, ["host": definition.listen])
    for candidate in try await NetworkAddress(definition.listen).forListening() {
      do {
        let channel = try await bootstrap.bind(to: candidate).get()
        sockets.withLock { $0.datagrams = channel }
        let real = channel.localAddress.map { NetworkAddress($0).description }
        return real ?? definition.listen
      } catch {
        last = NetworkError(listeningOn: definition.listen, failed: error)
      }
    }
    throw last
  }

  private func listenToStreams(_ service: DNSService, on address: String) async throws(NetworkError) -> Listener {
    let (table, lookups, environment, name) = (table, lookups, environment, definition.name)
    return try await Listener.listen(on: address, group: environment.group) { error in
      environment.events.note(.connectionFailed, name, ["reason": error.reason])
    } accept: { channel in
      channel.eventLoop.makeCompletedFuture {
        guard let shard = table.shard(on: channel.eventLoop) else { return }
        let shaping = ShapingHandler(number: table.nextNumber(), on: shard, holding: environment.holding)
        let handler = DNSStreamHandler(service, shaping, on: shard)
        try channel.pipeline.syncOperations.addHandlers([shaping, handler])
        let here = lookups.here(channel.eventLoop)
        here?.streams[ObjectIdentifier(handler)] = handler
        channel.closeFuture.assumeIsolated().whenComplete { _ in here?.streams[ObjectIdentifier(handler)] = nil }
      }
    }
  }

  func apply(_ conditions: ProxyConditions) async {
    service.withLock { $0?.apply(conditions) }
    await table.apply(conditions)
  }

  /// Moves the answers to the questions in flight.
  func delayAll(by duration: Duration) async {
    let (amount, lookups) = (TimeAmount(duration), lookups)
    await table.onAllLoops { shard in
      guard let here = lookups.here(shard.loop) else { return }
      here.datagrams?.delayAll(by: amount)
      for stream in here.streams.values { stream.delayAll(by: amount) }
    }
  }

  func statistics() async -> ProxyStatistics { await table.statistics() }

  func stop() async {
    let listener = sockets.withLock { sockets in
      defer { sockets.streams = nil }
      return sockets.streams
    }
    await listener?.close()
    await closeDatagrams()
    await table.dropAll()
  }

  private func closeDatagrams() async {
    let channel = sockets.withLock { sockets in
      defer { sockets.datagrams = nil }
      return sockets.datagrams
    }
    try? await channel?.close()
  }
}

/// The look-ups on their way on each event loop of a DNS proxy.
final class DNSLookups: Sendable {
  final class Loop {
    var datagrams: DNSDatagramHandler?
    var streams: [ObjectIdentifier: DNSStreamHandler] = [:]
  }

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
