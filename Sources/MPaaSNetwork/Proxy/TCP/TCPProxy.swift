import NIOCore
import NIOPosix
import Synchronization

/// Streams from a listener to one upstream, untouched by content.
final class TCPProxy: ProxyServer {
  private let definition: ProxyDefinition
  private let environment: ProxyEnvironment
  private let table: ConnectionTable
  private let dialer: Dialer
  private let listener = Mutex<Listener?>(nil)

  init(
    _ definition: ProxyDefinition, under conditions: ProxyConditions, in environment: ProxyEnvironment
  ) throws(NetworkError) {
    self.definition = definition
    self.environment = environment
    dialer = Dialer(try NetworkAddress(definition.upstream))
    table = ConnectionTable(environment.group, proxy: definition.name, under: conditions)
  }

  func start() async throws(NetworkError) -> String {
    let name = definition.name
    let (table, dialer, environment) = (table, dialer, environment)
    let listener = try await Listener.listen(on: definition.listen, group: environment.group) { error in
      environment.events.note(.connectionFailed, name, ["reason": error.reason])
    } accept: { channel in
      channel.eventLoop.makeCompletedFuture {
        guard let shard = table.shard(on: channel.eventLoop) else { return }
        let relay = Relay(channel, number: table.nextNumber(), on: shard, in: environment)
        try relay.begin()
        relay.dial(dialer)
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
