import MPaaSSupport
import NIOCore
import NIOPosix

/// The proxies of a server, and all that may be done to them while data flows.
///
/// Every change is in force on every connection when the call returns (within 10 ms under load). Starts and
/// stops of one proxy happen one after the other; changes of its toxics that are asked for while others are on their
/// way to the connections go there together.
public actor ProxyCollection {
  /// A proxy as it is, with what serves it.
  struct Entry {
    /// Its toxics are those that were added one by one.
    var definition: ProxyDefinition
    /// Toxics of profiles and timelines, in the order in which the layers came.
    var layers: [(name: String, toxics: [Toxic])] = []
    var conditions = ProxyConditions()
    var server: (any ProxyServer)?
    /// The traffic of the servers that it had before.
    var past: ProxyStatistics
  }

  var entries: [Entry] = []
  /// The tasks that wait for the toxics of a proxy to be put in force; present while they are on their way.
  private var applying: [String: [CheckedContinuation<Void, Never>]] = [:]
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

  /// The proxy of a name, with the address that it listens on and the toxics in force.
  ///
  /// - Throws: `net-proxy-unknown`.
  public func proxy(_ name: String) throws(NetworkError) -> ProxyDefinition { entries[try index(of: name)].shown }

  /// Adds a proxy; where it is enabled it listens when this returns.
  ///
  /// - Throws: And does not add it, where the name is taken or the address cannot be listened on.
  @discardableResult
  public func add(_ definition: ProxyDefinition) async throws(NetworkError) -> ProxyDefinition {
    try definition.check()
    try definition.checkEffects(of: definition.toxics)
    await enter(definition.name)
    defer { leave(definition.name) }
    guard !entries.contains(where: { $0.definition.name == definition.name }) else {
      throw NetworkError(.proxyExists, ["proxy": definition.name])
    }
    var entry = Entry(definition: definition, past: ProxyStatistics(proxy: definition.name))
    entry.refreshConditions()
    if definition.isEnabled {
      let server = try definition.server(under: entry.conditions, in: environment)
      entry.definition.listen = try await server.start()
      entry.server = server
    }
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
    let name = definition.name
    let index = try index(of: name)
    try definition.checkEffects(of: entries[index].definition.toxics)
    let isRestarted = !entries[index].definition.isServed(as: definition)
    if isRestarted || !definition.isEnabled { await stop(name) }
    entries[try self.index(of: name)].take(definition)
    var failure: NetworkError?
    if definition.isEnabled, entries[try self.index(of: name)].server == nil {
      do { try await start(name) } catch {
        failure = error
        entries[try self.index(of: name)].definition.isEnabled = false
      }
    } else {
      await apply(name)
    }
    let changed = try proxy(name)
    environment.events.note(
      .proxyChanged, name, ["listen": changed.listen, "enabled": String(changed.isEnabled)])
    if let failure { throw failure }
    return changed
  }

  /// Removes a proxy and ends its connections.
  ///
  /// - Throws: `net-proxy-unknown`.
  public func remove(_ name: String) async throws(NetworkError) {
    await enter(name)
    defer { leave(name) }
    _ = try index(of: name)
    await stop(name)
    entries.removeAll { $0.definition.name == name }
    environment.events.note(.proxyRemoved, name)
  }

  /// Moves the replies of what is open now by `duration`, later or earlier: the buttons "one second longer" and
  /// "shorter".
  public func delayAll(by duration: Duration, on proxies: [String]? = nil) async {
    let servers = entries.filter { proxies?.contains($0.definition.name) ?? true }.compactMap(\.server)
    await withTaskGroup(of: Void.self) { group in
      for server in servers { group.addTask { await server.delayAll(by: duration) } }
    }
  }

  /// The figures of all proxies in the order of their names, counted since each was added.
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

  /// The events from now on; a watcher that does not keep up loses the oldest.
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

  /// Starts the server of a proxy; its toxics may change meanwhile.
  func start(_ name: String) async throws(NetworkError) {
    entries[try index(of: name)].refreshConditions()
    let entry = entries[try index(of: name)]
    let server = try entry.definition.server(under: entry.conditions, in: environment)
    let listen = try await server.start()
    let index = try index(of: name)
    entries[index].server = server
    entries[index].definition.listen = listen
    entries[index].definition.isEnabled = true
    await apply(name)
  }

  /// Stops the server of a proxy, and keeps its figures.
  func stop(_ name: String) async {
    guard let index = try? index(of: name), let server = entries[index].server else { return }
    entries[index].server = nil
    var last = await server.statistics()
    await server.stop()
    (last.openConnections, last.upstream.held, last.downstream.held) = (0, 0, 0)
    if let index = try? self.index(of: name) { entries[index].past.add(last) }
  }

  /// Puts the toxics of a proxy in force.
  ///
  /// All that changes while this is done for an earlier change is put in force at once afterwards: the time that a call
  /// takes does not grow with the number of callers.
  func apply(_ name: String) async {
    guard applying[name] == nil else {
      return await withCheckedContinuation { applying[name]?.append($0) }
    }
    applying[name] = []
    await applyOnce(name)
    if applying[name]?.isEmpty ?? true { applying[name] = nil } else { Task { await applyRest(name) } }
  }

  private func applyRest(_ name: String) async {
    while let batch = applying[name], !batch.isEmpty {
      applying[name] = []
      await applyOnce(name)
      for caller in batch { caller.resume() }
    }
    applying[name] = nil
  }

  private func applyOnce(_ name: String) async {
    guard let index = try? index(of: name) else { return }
    entries[index].refreshConditions()
    let entry = entries[index]
    await entry.server?.apply(entry.conditions)
  }

  /// Waits until the proxy is neither started nor stopped by another call; they take their turns.
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
