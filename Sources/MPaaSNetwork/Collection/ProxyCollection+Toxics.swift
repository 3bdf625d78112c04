extension ProxyCollection {
  /// Adds a toxic as the last of its proxy.
  @discardableResult
  public func add(_ toxic: Toxic, to proxy: String) async throws(NetworkError) -> Toxic {
    try toxic.check()
    let index = try index(of: proxy)
    try entries[index].definition.checkEffects(of: [toxic])
    guard !entries[index].shown.toxics.contains(where: { $0.name == toxic.name }) else {
      throw NetworkError(.toxicExists, ["toxic": toxic.name, "proxy": proxy])
    }
    entries[index].definition.toxics.append(toxic)
    await apply(proxy)
    environment.events.note(.toxicAdded, proxy, toxic.details)
    return toxic
  }

  /// Puts a toxic in the place of the one of its name.
  @discardableResult
  public func update(_ toxic: Toxic, of proxy: String) async throws(NetworkError) -> Toxic {
    try toxic.check()
    let index = try index(of: proxy)
    try entries[index].definition.checkEffects(of: [toxic])
    guard entries[index].change(toxic.name, to: toxic) else {
      throw NetworkError(.toxicUnknown, ["toxic": toxic.name, "proxy": proxy])
    }
    await apply(proxy)
    environment.events.note(.toxicChanged, proxy, toxic.details)
    return toxic
  }

  /// Removes a toxic from a proxy; it is out of force on all connections when this returns.
  ///
  /// - Throws: `net-proxy-unknown`, `net-toxic-unknown`.
  public func removeToxic(_ name: String, of proxy: String) async throws(NetworkError) {
    let index = try index(of: proxy)
    guard entries[index].change(name, to: nil) else {
      throw NetworkError(.toxicUnknown, ["toxic": name, "proxy": proxy])
    }
    await apply(proxy)
    environment.events.note(.toxicRemoved, proxy, ["toxic": name])
  }

  /// Puts `toxics` in the place of those that a layer had before, on the named proxies or on all.
  ///
  /// Profiles and timelines are layers beside the toxics that were added one by one. Their names begin with `<layer>.`.
  public func setLayer(_ layer: String, _ toxics: [Toxic], on proxies: [String]? = nil) async throws(NetworkError) {
    for toxic in toxics { try toxic.check() }
    let names = proxies ?? entries.map(\.definition.name)
    for name in names { _ = try index(of: name) }
    let prefix = layer + "."
    let named = toxics.map { toxic in
      var toxic = toxic
      if !toxic.name.hasPrefix(prefix) { toxic.name = prefix + toxic.name }
      return toxic
    }
    await withTaskGroup(of: Void.self) { group in
      for name in names { group.addTask { await self.setLayer(layer, named, ofProxy: name) } }
    }
  }

  private func setLayer(_ layer: String, _ toxics: [Toxic], ofProxy name: String) async {
    // It may have been removed meanwhile.
    guard let index = entries.firstIndex(where: { $0.definition.name == name }) else { return }
    entries[index].setLayer(layer, toxics)
    await apply(name)
  }

  /// Enables all proxies and removes all toxics.
  ///
  /// - Throws: The first failure, after all have been tried.
  public func reset() async throws(NetworkError) {
    var failure: NetworkError?
    for name in entries.map(\.definition.name) {
      do { try await reset(name) } catch { failure = failure ?? error }
    }
    environment.events.note(.reset)
    if let failure { throw failure }
  }

  private func reset(_ name: String) async throws(NetworkError) {
    await enter(name)
    defer { leave(name) }
    guard let index = entries.firstIndex(where: { $0.definition.name == name }) else { return }
    entries[index].definition.toxics = []
    entries[index].layers = []
    if entries[index].server == nil { try await start(name) } else { await apply(name) }
  }
}

extension Toxic {
  /// The details that an event tells.
  var details: [String: String] {
    ["toxic": name, "type": condition.kind.rawValue, "stream": direction.rawValue, "toxicity": String(toxicity)]
  }

  func check() throws(NetworkError) {
    guard (0...1).contains(toxicity) else {
      throw NetworkError(.toxicityMalformed, ["toxic": name, "toxicity": String(toxicity)])
    }
  }
}
