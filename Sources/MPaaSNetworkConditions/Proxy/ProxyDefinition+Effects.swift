extension ProxyDefinition.Kind {
  /// Tells whether a condition of this kind changes anything of what passes through such a proxy; one that does nothing
  /// by its nature (`noop`) is taken by all.
  public func takes(_ condition: Condition.Kind) -> Bool {
    switch condition {
    case .noop, .latency, .bandwidth, .loss, .corruption, .reorder, .limitData, .timeout, .blackout, .flightMode: true
    // TCP drops the copy.
    case .duplicate: self == .udp || self == .dns
    // Datagrams have no chunks, no end and no reset.
    case .slicer, .slowClose, .resetPeer: self != .udp
    case .httpDelay, .httpError, .httpSlowHeaders, .httpTruncatedBody: self == .http
    case .dnsDelay, .dnsFailure: self == .dns || self == .forward
    }
  }
}

extension ProxyDefinition {
  /// Throws where one of `toxics` would do nothing on this proxy.
  package func checkEffects(of toxics: [Toxic]) throws(NetworkError) {
    for toxic in toxics where !kind.takes(toxic.condition.kind) {
      let kinds = Kind.allCases.filter { $0.takes(toxic.condition.kind) }.map(\.rawValue).joined(separator: ", ")
      throw NetworkError(
        .toxicWithoutEffect,
        [
          "toxic": toxic.name, "type": toxic.condition.kind.rawValue, "proxy": name, "kind": kind.rawValue,
          "kinds": kinds,
        ])
    }
  }
}
