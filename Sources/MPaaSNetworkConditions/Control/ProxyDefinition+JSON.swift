package import MPaaSSupport

extension ProxyDefinition {
  /// The proxy as the API writes it: toxiproxy's fields, `kind`, and what else is not as usual.
  package var json: JSONValue {
    var object: JSONValue.Object = [
      "name": .string(name), "listen": .string(listen), "upstream": .string(upstream), "enabled": .bool(isEnabled),
      "toxics": .array(toxics.map(\.json)), "kind": .string(kind.rawValue),
    ]
    if !routes.isEmpty { object["routes"] = .object(routes.mapValues { .string($0) }) }
    if let tls { object["tls"] = tls.json }
    if seed != 0 { object["seed"] = JSONValue(seed) }
    return .object(object)
  }

  /// Tells whether it must be told where to lead.
  package var needsUpstream: Bool {
    switch kind {
    case .tcp, .udp, .http: true
    case .tls: routes.isEmpty
    case .forward, .dns: false
    }
  }
}

extension ProxyDefinition.TLS {
  var json: JSONValue {
    var object: JSONValue.Object = ["to_upstream": .bool(toUpstream)]
    if let certificate { object["certificate"] = .string(certificate) }
    if let key { object["key"] = .string(key) }
    if let authorities { object["authorities"] = .string(authorities) }
    return .object(object)
  }
}
