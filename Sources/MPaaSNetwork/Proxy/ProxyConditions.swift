/// The toxics of a proxy, and which of them touch a connection.
package struct ProxyConditions: Sendable {
  /// In the order in which bytes meet them.
  package let toxics: [Toxic]
  /// What the random numbers of all connections begin with.
  package let seed: UInt64
  /// By the name of the toxic, so that a change of the others leaves them filled as they are.
  private let buckets: [String: SharedBucket]

  package init(_ toxics: [Toxic] = [], seed: UInt64 = 0, after previous: ProxyConditions? = nil) {
    self.toxics = toxics
    self.seed = seed
    var buckets: [String: SharedBucket] = [:]
    for toxic in toxics {
      guard case .bandwidth(let bandwidth) = toxic.condition, bandwidth.isShared else { continue }
      buckets[toxic.name] = previous?.buckets[toxic.name] ?? SharedBucket()
    }
    self.buckets = buckets
  }

  /// The toxics of one direction that touch a connection; each draws once for each connection.
  package func toxics(_ direction: Direction, touching connection: UInt64) -> [Toxic] {
    toxics.filter { $0.direction == direction && touches($0, connection) }
  }

  /// What the shaper of one direction of a connection is to do; conditions on requests and names are not among it.
  package func plan(_ direction: Direction, for connection: UInt64) -> LinkPlan {
    guard !toxics.isEmpty else { return LinkPlan(conditions: [], seed: seed(direction, connection)) }
    var conditions: [Condition] = []
    var shared: [Int: SharedBucket] = [:]
    for toxic in toxics(direction, touching: connection) where !toxic.condition.kind.isForRequests {
      shared[conditions.count] = buckets[toxic.name]
      conditions.append(toxic.condition)
    }
    return LinkPlan(conditions: conditions, seed: seed(direction, connection), shared: shared)
  }

  /// Whether there is no network for a connection.
  package func isFlightMode(for connection: UInt64) -> Bool {
    toxics.contains { $0.condition.kind == .flightMode && touches($0, connection) }
  }

  private func touches(_ toxic: Toxic, _ connection: UInt64) -> Bool {
    if toxic.toxicity >= 1 { return true }
    if toxic.toxicity <= 0 { return false }
    var hash = mixed(seed, connection)
    for byte in toxic.name.utf8 { hash = mixed(hash, UInt64(byte)) }
    return Double(hash >> 11) * 0x1p-53 < toxic.toxicity
  }

  private func seed(_ direction: Direction, _ connection: UInt64) -> UInt64 {
    mixed(mixed(seed, connection), direction == .upstream ? 1 : 2)
  }
}

/// Two numbers as one in which every bit hangs on all of theirs (the finaliser of SplitMix64).
private func mixed(_ first: UInt64, _ second: UInt64) -> UInt64 {
  var z = first &+ (second &+ 1) &* 0x9E37_79B9_7F4A_7C15
  z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
  z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
  return z ^ (z >> 31)
}

extension Condition.Kind {
  /// Whether it is about requests or names, which the shapers of bytes know nothing of.
  package var isForRequests: Bool {
    switch self {
    case .httpDelay, .httpError, .httpSlowHeaders, .httpTruncatedBody, .dnsDelay, .dnsFailure: true
    default: false
    }
  }
}
