import MPaaSSupport
import NIOCore
import NIOPosix

/// The proxies of a server, and all that may be done to them while data flows.
///
/// Every change is in force on every connection when the call returns (within 10 ms under load). Changes of one proxy
/// happen one after the other in the order in which they were asked for; those of several at the same time.
public actor ProxyCollection {
  /// A proxy as it is, with what serves it.
  struct Entry {
    /// Its toxics are those that were added one by one.
    var definition: ProxyDefinition
    /// Toxics of profiles and timelines, in the order in which the layers came.
    var layers: [(name: String, toxics: [Toxic])] = []
    var conditions = ProxyConditions()
    var server: (any ProxyServer)?
    /// What went through the servers that it had before.
    var past: ProxyStatistics
  }

  var entries: [Entry] = []
  private var busy: Set<String> = []
  private var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
  private var isOver = false
  private let group: MultiThreadedEventLoopGroup
  nonisolated let environment: ProxyEnvironment

  /// - Parameters:
  ///   - threads: Event loops; nil for one a processor core.
  ///   - holding: The most bytes that one direction of a connection may hold before its sender is made to wait.
  public init(threads: Int? = nil, holding: Int = 16 << 20) {
    group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, threads ?? System.coreCount))
    environment = ProxyEnvironment(group: group, holding: max(1, holding))
  }

  deinit {
    if !isOver { group.shutdownGracefully { _ in } }
  }

  /// The proxies by name, with the addresses that they listen on.
  ///
  /// Their toxics are those that were added one by one, then those of the layers.
  public var all: [ProxyDefinition] { entries.map(\.shown).sorted { $0.name < $1.name } }

  public func proxy(_ name: String) throws(NetworkError) -> ProxyDefinition { entries[try index(of: name)].shown }

  /// Adds a proxy; where it is enabled it listens when this returns.
  ///
  /// - Throws: And does not add it, where the name is taken or the address cannot be listened on.
  @discardableResult
  public func add(_ definition: ProxyDefinition) async throws(NetworkError) -> ProxyDefinition {
    try definition.check()
    await enter(definition.name)
    defer { leave(definition.name) }
    guard !entries.contains(where: { $0.definition.name == definition.name }) else {
      throw NetworkError(.proxyExists, ["proxy": definition.name])
    }
    var entry = Entry(definition: definition, past: ProxyStatistics(proxy: definition.name))
    entry.refreshConditions()
    if definition.isEnabled { try await entry.start(in: environment) }
    entries.append(entry)
    environment.events.note(.proxyAdded, definition.name, ["listen": entry.definition.listen])
    return entry.shown
  }

  /// Changes a proxy: a changed address or kind restarts it and drops its connections; `isEnabled` takes it down or up.
  ///
  /// Its toxics stay as they are; they have calls of their own.
  ///
  /// - Throws: Where it cannot listen as asked for, and is then disabled.
  @discardableResult
  public func update(_ definition: ProxyDefinition) async throws(NetworkError) -> ProxyDefinition {
    try definition.check()
    await enter(definition.name)
    defer { leave(definition.name) }
    var entry = entries[try index(of: definition.name)]
    let isRestarted = !entry.definition.isServed(as: definition)
    if isRestarted || !definition.isEnabled { await entry.stop() }
    let toxics = entry.definition.toxics
    entry.definition = definition
    entry.definition.toxics = toxics
    entry.refreshConditions()
    var failure: NetworkError?
    if definition.isEnabled, entry.server == nil {
      do { try await entry.start(in: environment) } catch {
        failure = error
        entry.definition.isEnabled = false
      }
    } else {
      await entry.server?.apply(entry.conditions)
    }
    entries[try index(of: definition.name)] = entry
    environment.events.note(
      .proxyChanged, definition.name,
      ["listen": entry.definition.listen, "enabled": String(entry.definition.isEnabled)])
    if let failure { throw failure }
    return entry.shown
  }

  public func remove(_ name: String) async throws(NetworkError) {
    await enter(name)
    defer { leave(name) }
    var entry = entries[try index(of: name)]
    await entry.stop()
    entries.removeAll { $0.definition.name == name }
    environment.events.note(.proxyRemoved, name)
  }

  /// Moves all that is held now by `duration`, later or earlier: the buttons "one second longer" and "shorter".
  public func delayAll(by duration: Duration, on proxies: [String]? = nil) async {
    let servers = entries.filter { proxies?.contains($0.definition.name) ?? true }.compactMap(\.server)
    await withTaskGroup(of: Void.self) { group in
      for server in servers { group.addTask { await server.delayAll(by: duration) } }
    }
  }

  public func statistics() async -> [ProxyStatistics] {
    let parts = entries.map { (past: $0.past, server: $0.server) }
    let sums = await withTaskGroup(of: ProxyStatistics.self) { group in
      for (past, server) in parts {
        group.addTask {
          var sum = past
          if let server { sum.add(await server.statistics()) }
          return sum
        }
      }
      var sums: [ProxyStatistics] = []
      for await sum in group { sums.append(sum) }
      return sums
    }
    return sums.sorted { $0.proxy < $1.proxy }
  }

  /// What happens from now on; a watcher that does not keep up loses the oldest.
  public func events() -> AsyncStream<NetworkEvent> { environment.events.events() }

  /// Tells the watchers of something that another part did.
  public func note(_ event: NetworkEvent) { environment.events.note(event) }

  /// Ends all proxies and their connections.
  public func shutdown() async {
    for name in entries.map(\.definition.name) { try? await remove(name) }
    environment.events.finish()
    guard !isOver else { return }
    isOver = true
    try? await group.shutdownGracefully()
  }
}

extension ProxyCollection {
  func index(of name: String) throws(NetworkError) -> Int {
    guard let index = entries.firstIndex(where: { $0.definition.name == name }) else {
      throw NetworkError(.proxyUnknown, ["proxy": name])
    }
    return index
  }

  /// Waits until no other change of the proxy is under way; they take their turns.
  func enter(_ name: String) async {
    guard !busy.insert(name).inserted else { return }
    await withCheckedContinuation { waiting[name, default: []].append($0) }
  }

  func leave(_ name: String) {
    guard var queue = waiting[name], !queue.isEmpty else {
      waiting[name] = nil
      busy.remove(name)
      return
    }
    let next = queue.removeFirst()
    waiting[name] = queue
    next.resume()
  }
}
