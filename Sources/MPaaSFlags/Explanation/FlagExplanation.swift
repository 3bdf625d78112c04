/// The reason why a flag is on or off for a context, with everything that was looked at.
package struct FlagExplanation: Sendable, Equatable {
  /// The part of a flag that decided.
  package enum Decision: Sendable, Equatable {
    case noSuchFlag
    /// The flag is off for everybody.
    case flagOff
    /// Something in the flag's strategies has no meaning.
    case broken
    /// A parent is not as it must be.
    case parent(String)
    case noStrategies
    /// The first strategy that holds, from 1.
    case strategy(Int)
    case noStrategyHolds
  }

  package var flag: String
  package var decision: Decision
  package var variant: FlagVariant
  /// The share that chose the variant, and the sum of the weights; nil where an override did, or nothing was chosen.
  package var share: (bucket: Int, sum: Int)?
  package var parents: [Parent] = []
  package var strategies: [Strategy] = []

  package var isEnabled: Bool { variant.isFlagEnabled }

  /// A flag that the flag depends on.
  package struct Parent: Sendable, Equatable {
    package var flag: String
    package var mustBeEnabled: Bool
    package var holds: Bool
  }

  /// A strategy, and what of it holds.
  package struct Strategy: Sendable, Equatable {
    package var name: String
    package var holds: Bool
    /// Tells whether the rule itself holds, whatever its constraints.
    package var ruleHolds: Bool
    /// The bucket of a rollout, and its percentage; the bucket is nil where the field is missing.
    package var percentage: Int?
    package var bucket: Int?
    /// The field that the bucket depends on.
    package var stickiness: String?
    package var constraints: [Constraint]
    package var segments: [Segment]
  }

  /// The constraints of a segment.
  package struct Segment: Sendable, Equatable {
    package var id: Int
    package var name: String?
    /// Tells whether there is such a segment.
    package var isKnown: Bool
    package var constraints: [Constraint]

    package var holds: Bool { isKnown && constraints.allSatisfy(\.holds) }
  }

  /// A constraint, the value that it was held against, and whether it holds.
  package struct Constraint: Sendable, Equatable {
    package var definition: ConstraintDefinition
    package var value: String?
    package var holds: Bool
  }

  package static func == (one: FlagExplanation, other: FlagExplanation) -> Bool {
    one.flag == other.flag && one.decision == other.decision && one.variant == other.variant
      && one.share?.bucket == other.share?.bucket && one.parents == other.parents
      && one.strategies == other.strategies
  }
}
