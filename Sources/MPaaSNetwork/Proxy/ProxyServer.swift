package import NIOCore

/// A proxy of some kind at work; the collection starts one for each enabled definition and a new one after a restart.
package protocol ProxyServer: Sendable {
  /// Listens and serves.
  ///
  /// - Returns: The address that it really listens on.
  func start() async throws(NetworkError) -> String

  /// Puts `conditions` in force on the connections that stand and on those to come, before it returns.
  func apply(_ conditions: ProxyConditions) async

  /// Moves all that is held now by `duration`, later or earlier.
  func delayAll(by duration: Duration) async

  /// The traffic through it since it was started.
  func statistics() async -> ProxyStatistics

  /// Closes the listener and drops all connections.
  func stop() async
}

/// The state that all proxies of a collection share.
package struct ProxyEnvironment: Sendable {
  package let group: any EventLoopGroup
  /// The most bytes that one direction of a connection may hold before its sender is made to wait.
  package let holding: Int
  package let events: EventHub

  package init(group: any EventLoopGroup, holding: Int = 16 << 20, events: EventHub = EventHub()) {
    self.group = group
    self.holding = holding
    self.events = events
  }
}
