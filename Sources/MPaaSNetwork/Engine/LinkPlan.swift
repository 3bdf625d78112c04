/// The conditions of one direction of one connection (or of a tunnel) is put through: the conditions that touch it, in
/// order.
package struct LinkPlan: Sendable {
  package let conditions: [Condition]
  /// The names of the conditions, by place in `conditions`: a change of plan keeps the state (bytes counted, random
  /// numbers, delays) of a condition that has the same name and kind in the new plan.
  package let names: [String]
  /// The seed of the link's own random numbers begin with: the same seed gives the same sequence.
  package let seed: UInt64
  /// The buckets of conditions that connections share, by the place in `conditions`.
  package let shared: [Int: SharedBucket]

  /// - Parameter names: nil calls the conditions by kind, and further ones of a kind by number.
  package init(
    conditions: [Condition], seed: UInt64, shared: [Int: SharedBucket] = [:], names: [String]? = nil
  ) {
    self.conditions = conditions
    self.names = names?.count == conditions.count ? names ?? [] : Self.names(of: conditions)
    self.seed = seed
    self.shared = shared
  }

  /// The plan of one direction of a connection: the toxics of that direction whose toxicity touches it.
  ///
  /// The draw that decides whether a toxic touches a connection comes from the seed, the connection's number and the
  /// toxic's name alone, so it stays as it is when the toxics change.
  ///
  /// - Parameters:
  ///   - connection: The connection's number since the proxy began, from 0.
  ///   - seed: That of the proxy.
  ///   - shared: The buckets of the proxy's toxics that connections share, by the toxics' names.
  package init(
    _ toxics: [Toxic], direction: Direction, connection: UInt64, seed: UInt64, shared: [String: SharedBucket] = [:]
  ) {
    let link = LinkRandom.seed(seed, connection, direction == .upstream ? 1 : 2)
    var conditions: [Condition] = []
    var names: [String] = []
    var buckets: [Int: SharedBucket] = [:]
    for toxic in toxics where toxic.direction == direction && toxic.touches(link) {
      if case .bandwidth(let value) = toxic.condition, value.isShared, let bucket = shared[toxic.name] {
        buckets[conditions.count] = bucket
      }
      conditions.append(toxic.condition)
      names.append(toxic.name)
    }
    self.init(conditions: conditions, seed: link, shared: buckets, names: names)
  }

  package static var transparent: LinkPlan { LinkPlan(conditions: [], seed: 0) }

  private static func names(of conditions: [Condition]) -> [String] {
    var counts: [Condition.Kind: Int] = [:]
    return conditions.map { condition in
      let count = counts[condition.kind, default: 0]
      counts[condition.kind] = count + 1
      return count == 0 ? condition.kind.rawValue : "\(condition.kind.rawValue)_\(count)"
    }
  }
}

extension Toxic {
  /// Tells whether it touches the link with this seed: the share `toxicity` of all links.
  fileprivate func touches(_ link: UInt64) -> Bool {
    var random = LinkRandom(seed: LinkRandom.seed(link, LinkRandom.number(of: name)))
    return random.happens(toxicity)
  }
}
