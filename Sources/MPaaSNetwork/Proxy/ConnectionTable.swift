import MPaaSSupport
package import NIOCore
import Synchronization

/// A connection as the table of its proxy sees it; used on its event loop only.
package protocol LiveConnection: AnyObject {
  /// Bytes that one direction holds now.
  func held(_ direction: Direction) -> Int
  func apply(_ conditions: ProxyConditions)
  func delayAll(by duration: TimeAmount)
  /// Closes it at once.
  func drop()
}

/// The state of one event loop for a proxy: its connections there, their figures, the conditions in force.
///
/// It is touched on its loop only, so that the way of the bytes meets no lock.
package final class LoopShard {
  package let loop: any EventLoop
  package internal(set) var conditions: ProxyConditions
  /// Figures of the connections of this loop; `openConnections` and `held` are filled in when asked for.
  package var figures: ProxyStatistics
  private var connections: [ObjectIdentifier: any LiveConnection] = [:]
  /// The most connections since memory was given back last.
  private var peak = 0
  private var isGivingBack = false
  /// The time from a connection's end until the memory of the ended ones goes back to the system.
  private static let quiet = TimeAmount.seconds(1)

  init(_ loop: any EventLoop, _ proxy: String, _ conditions: ProxyConditions) {
    self.loop = loop
    self.conditions = conditions
    figures = ProxyStatistics(proxy: proxy)
  }

  /// - Parameter isNew: Whether it is counted; not, where it takes the place of another.
  package func insert(_ connection: any LiveConnection, isNew: Bool = true) {
    connections[ObjectIdentifier(connection)] = connection
    peak = max(peak, connections.count)
    if isNew { figures.connections += 1 }
  }

  package func remove(_ connection: any LiveConnection) {
    connections[ObjectIdentifier(connection)] = nil
    guard isMostlyOver, !isGivingBack else { return }
    isGivingBack = true
    loop.assumeIsolated().scheduleTask(in: Self.quiet) { [weak self] in
      guard let self else { return }
      isGivingBack = false
      guard isMostlyOver else { return }
      peak = connections.count
      MemoryReturn.ask(on: loop)
    }
  }

  /// Half of the connections that there were at once have ended, or more.
  private var isMostlyOver: Bool { connections.count <= peak / 2 }

  package var all: [any LiveConnection] { Array(connections.values) }

  var snapshot: ProxyStatistics {
    var result = figures
    result.openConnections = connections.count
    for connection in connections.values {
      result.upstream.held += connection.held(.upstream)
      result.downstream.held += connection.held(.downstream)
    }
    return result
  }
}

/// All connections of a proxy, by the event loop that they live on.
package final class ConnectionTable: Sendable {
  private let proxy: String
  private let shards: [ObjectIdentifier: NIOLoopBoundBox<LoopShard>]
  private let numbers = Atomic<UInt64>(0)

  package init(_ group: any EventLoopGroup, proxy: String, under conditions: ProxyConditions) {
    self.proxy = proxy
    var shards: [ObjectIdentifier: NIOLoopBoundBox<LoopShard>] = [:]
    for loop in group.makeIterator() {
      shards[ObjectIdentifier(loop)] = .makeBoxSendingValue(LoopShard(loop, proxy, conditions), eventLoop: loop)
    }
    self.shards = shards
  }

  /// The number of the next connection: its random numbers hang on it.
  package func nextNumber() -> UInt64 { numbers.wrappingAdd(1, ordering: .relaxed).newValue }

  /// The shard of an event loop of the group, on that loop.
  package func shard(on loop: any EventLoop) -> LoopShard? { shards[ObjectIdentifier(loop)]?.value }

  package func apply(_ conditions: ProxyConditions) async {
    await onAllLoops { shard in
      shard.conditions = conditions
      for connection in shard.all { connection.apply(conditions) }
    }
  }

  package func delayAll(by duration: Duration) async {
    let amount = TimeAmount(duration)
    await onAllLoops { shard in
      for connection in shard.all { connection.delayAll(by: amount) }
    }
  }

  package func dropAll() async {
    await onAllLoops { shard in
      for connection in shard.all { connection.drop() }
    }
  }

  package func statistics() async -> ProxyStatistics {
    var sum = ProxyStatistics(proxy: proxy)
    for part in await onAllLoops({ $0.snapshot }) { sum.add(part) }
    return sum
  }

  /// Does something on every loop, on all at the same time.
  ///
  /// Loops that have ended are left out.
  @discardableResult
  package func onAllLoops<Value: Sendable>(_ body: @escaping @Sendable (LoopShard) -> Value) async -> [Value] {
    let futures = shards.values.map { box in box.eventLoop.submit { body(box.value) } }
    var values: [Value] = []
    for future in futures {
      if let value = try? await future.get() { values.append(value) }
    }
    return values
  }
}

extension ProxyStatistics {
  /// Adds the figures of another part of the same proxy.
  mutating func add(_ other: ProxyStatistics) {
    openConnections += other.openConnections
    connections += other.connections
    failedConnections += other.failedConnections
    requests += other.requests
    upstream.add(other.upstream)
    downstream.add(other.downstream)
  }
}

extension ProxyStatistics.Traffic {
  mutating func add(_ other: Self) {
    received += other.received
    sent += other.sent
    datagrams += other.datagrams
    lost += other.lost
    held += other.held
    for index in delays.indices { delays[index] += other.delays[index] }
  }

  /// Counts a delivery that was held for so long.
  package mutating func count(heldFor time: TimeAmount) {
    let milliseconds = UInt64(max(0, time.nanoseconds)) / 1_000_000
    delays[min(delays.count - 1, UInt64.bitWidth - milliseconds.leadingZeroBitCount)] += 1
  }
}
