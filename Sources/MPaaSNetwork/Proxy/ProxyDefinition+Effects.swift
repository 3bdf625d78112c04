extension ProxyDefinition.Kind {
  /// Whether a condition of this kind changes anything of what passes through such a proxy; one that does nothing by
  /// its nature (`noop`) is taken by all.
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
  func checkEffects(of toxics: [Toxic]) throws(NetworkError) {
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

extension ProxyCollection {
  /// Throws where nothing of a profile or a timeline does anything on the proxies that it is put on.
  ///
  /// A profile tells of a network, and each proxy takes of it what it can: one that some proxy takes is taken. Where there
  /// are no proxies yet, those to come may be of any kind.
  /// - Parameters:
  ///   - name: What errors call the profile or the timeline.
  ///   - proxies: By name; nil for all.
  func checkEffects(of toxics: [Toxic], _ name: String, on proxies: [String]?) throws(NetworkError) {
    let meant = all.filter { proxies?.contains($0.name) ?? true }
    guard !meant.isEmpty, !toxics.isEmpty else { return }
    guard !meant.contains(where: { proxy in toxics.contains { proxy.kind.takes($0.condition.kind) } }) else { return }
    let works = ProxyDefinition.Kind.allCases.filter { kind in toxics.contains { kind.takes($0.condition.kind) } }
    throw NetworkError(
      .profileWithoutEffect,
      [
        "profile": name, "proxies": meant.map { "\($0.name) (\($0.kind.rawValue))" }.joined(separator: ", "),
        "kinds": works.map(\.rawValue).joined(separator: ", "),
      ])
  }
}
