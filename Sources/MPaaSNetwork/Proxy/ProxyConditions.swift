/// The toxics of a proxy, and which of them touch a connection.
package struct ProxyConditions: Sendable {
  /// In the order in which bytes meet them.
  package let toxics: [Toxic]
  /// The seed of all connections.
  package let seed: UInt64
  /// By the name of the toxic, so that a change of the others leaves them filled as they are.
  private let buckets: [String: SharedBucket]
  /// Those of the toxics that shapers know.
  private let shaping: [Toxic]

  package init(_ toxics: [Toxic] = [], seed: UInt64 = 0, after previous: ProxyConditions? = nil) {
    self.toxics = toxics
    self.seed = seed
    shaping = toxics.filter { !$0.condition.kind.isForRequests }
    var buckets: [String: SharedBucket] = [:]
    for toxic in toxics {
      guard case .bandwidth(let bandwidth) = toxic.condition, bandwidth.isShared else { continue }
      buckets[toxic.name] = previous?.buckets[toxic.name] ?? SharedBucket()
    }
    self.buckets = buckets
  }

  /// The toxics of one direction that touch a connection; each draws once for each connection.
  package func toxics(_ direction: Direction, touching connection: UInt64) -> [Toxic] {
    guard !toxics.isEmpty else { return [] }
    let names = Set(LinkPlan(toxics, direction: direction, connection: connection, seed: seed).names)
    return toxics.filter { $0.direction == direction && names.contains($0.name) }
  }

  /// The plan of the shaper of one direction of a connection; conditions on requests and names are not among it.
  package func plan(_ direction: Direction, for connection: UInt64) -> LinkPlan {
    LinkPlan(shaping, direction: direction, connection: connection, seed: seed, shared: buckets)
  }

  /// Tells whether there is no network for a connection.
  package func isFlightMode(for connection: UInt64) -> Bool {
    guard shaping.contains(where: { $0.condition.kind == .flightMode }) else { return false }
    return Direction.allCases.contains { plan($0, for: connection).conditions.contains(.flightMode) }
  }
}

extension Condition.Kind {
  /// Tells whether it is about requests or names, which the shapers of bytes know nothing of.
  package var isForRequests: Bool {
    switch self {
    case .httpDelay, .httpError, .httpSlowHeaders, .httpTruncatedBody, .dnsDelay, .dnsFailure: true
    default: false
    }
  }
}
