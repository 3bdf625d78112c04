import MPaaSNetworkConditions

extension ProxyDefinition {
  /// The server of the definition's kind, not yet started.
  func server(
    under conditions: ProxyConditions, in environment: ProxyEnvironment
  ) throws(NetworkError) -> any ProxyServer {
    switch kind {
    case .tcp, .tls, .forward: return try StreamProxy(self, under: conditions, in: environment)
    case .udp: return try DatagramProxy(self, under: conditions, in: environment)
    case .http: return try HTTPProxy(self, under: conditions, in: environment)
    case .dns: return try DNSProxy(self, under: conditions, in: environment)
    }
  }
}
