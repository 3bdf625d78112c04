/// What one direction of one connection (or of a tunnel) is put through: the conditions that touch it, in order.
package struct LinkPlan: Sendable {
  package let conditions: [Condition]
  /// What the link's own random numbers begin with: the same seed gives the same sequence.
  package let seed: UInt64
  /// The buckets of conditions that connections share, by the place in `conditions`.
  package let shared: [Int: SharedBucket]

  package init(conditions: [Condition], seed: UInt64, shared: [Int: SharedBucket] = [:]) {
    self.conditions = conditions
    self.seed = seed
    self.shared = shared
  }

  package static var transparent: LinkPlan { LinkPlan(conditions: [], seed: 0) }
}
