extension ProxyCollection.Entry {
  /// The definition with all toxics.
  var shown: ProxyDefinition {
    var shown = definition
    for layer in layers { shown.toxics += layer.toxics }
    return shown
  }

  mutating func refreshConditions() {
    conditions = ProxyConditions(shown.toxics, seed: definition.seed, after: conditions)
  }

  /// Puts another toxic, or none, in the place of the one of that name, in a layer too.
  ///
  /// - Returns: Whether there was one.
  mutating func change(_ name: String, to toxic: Toxic?) -> Bool {
    let own = definition.toxics.change(name, to: toxic)
    if own { return true }
    for index in layers.indices where layers[index].toxics.change(name, to: toxic) { return true }
    return false
  }

  mutating func setLayer(_ name: String, _ toxics: [Toxic]) {
    let index = layers.firstIndex { $0.name == name }
    switch (index, toxics.isEmpty) {
    case (let index?, true): layers.remove(at: index)
    case (let index?, false): layers[index].toxics = toxics
    case (nil, false): layers.append((name, toxics))
    case (nil, true): break
    }
  }

  /// Takes over what another definition of the proxy says, but for the toxics.
  mutating func take(_ other: ProxyDefinition) {
    let toxics = definition.toxics
    definition = other
    definition.toxics = toxics
  }
}

extension Array where Element == Toxic {
  fileprivate mutating func change(_ name: String, to toxic: Toxic?) -> Bool {
    guard let index = firstIndex(where: { $0.name == name }) else { return false }
    if let toxic { self[index] = toxic } else { remove(at: index) }
    return true
  }
}

extension ProxyDefinition {
  /// Tells whether a server that runs under this definition serves the other one as well.
  func isServed(as other: ProxyDefinition) -> Bool {
    kind == other.kind && listen == other.listen && upstream == other.upstream && routes == other.routes
      && tls == other.tls
  }

  /// Throws where it cannot be served by whatever server.
  func check() throws(NetworkError) {
    guard !name.isEmpty else { throw NetworkError(.proxyNameless) }
    _ = try NetworkAddress(listen)
    for address in routes.values { _ = try NetworkAddress(address) }
    for toxic in toxics { try toxic.check() }
    var names: Set<String> = []
    for toxic in toxics where !names.insert(toxic.name).inserted {
      throw NetworkError(.toxicExists, ["toxic": toxic.name, "proxy": name])
    }
    if upstream.isEmpty {
      let isNeeded = kind == .tcp || kind == .udp || kind == .http || kind == .tls && routes.isEmpty
      if isNeeded { throw NetworkError(.proxyUpstreamMissing, ["proxy": name]) }
    } else if kind != .http {
      _ = try NetworkAddress(upstream)
    }
  }
}
