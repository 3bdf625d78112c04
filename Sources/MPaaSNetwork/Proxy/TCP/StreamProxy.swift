import NIOCore
import NIOPosix
import Synchronization

/// Streams from a listener to an upstream: one for all, or one that the client's opening names.
final class StreamProxy: ProxyServer {
  /// The ways of a stream to its upstream.
  private enum Way: Sendable {
    case straight(Dialer)
    case opening(any StreamOpening & Sendable)
  }

  private let definition: ProxyDefinition
  private let environment: ProxyEnvironment
  private let table: ConnectionTable
  private let way: Way
  private let listener = Mutex<Listener?>(nil)

  init(
    _ definition: ProxyDefinition, under conditions: ProxyConditions, in environment: ProxyEnvironment
  ) throws(NetworkError) {
    self.definition = definition
    self.environment = environment
    switch definition.kind {
    case .tls: way = .opening(try ServerNameOpening(definition))
    case .forward: way = .opening(ForwardOpening())
    default: way = .straight(Dialer(try NetworkAddress(definition.upstream)))
    }
    table = ConnectionTable(environment.group, proxy: definition.name, under: conditions)
  }

  func start() async throws(NetworkError) -> String {
    let name = definition.name
    let (table, way, environment) = (table, way, environment)
    let listener = try await Listener.listen(on: definition.listen, group: environment.group) { error in
      environment.events.note(.connectionFailed, name, ["reason": error.reason])
    } accept: { channel in
      channel.eventLoop.makeCompletedFuture {
        guard let shard = table.shard(on: channel.eventLoop) else { return }
        let number = table.nextNumber()
        switch way {
        case .straight(let dialer):
          let relay = Relay(channel, number: number, on: shard, in: environment)
          try relay.begin()
          relay.dial(dialer)
        case .opening(let opening):
          try channel.pipeline.syncOperations.addHandler(
            OpeningHandler(opening, number: number, on: shard, in: environment))
        }
      }
    }
    self.listener.withLock { $0 = listener }
    return listener.address
  }

  func apply(_ conditions: ProxyConditions) async { await table.apply(conditions) }

  func delayAll(by duration: Duration) async { await table.delayAll(by: duration) }

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
