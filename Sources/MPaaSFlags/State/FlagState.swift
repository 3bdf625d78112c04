/// The flags of an app as its operator has set them: flags with strategies, and segments that these name.
///
/// - Source: Unleash client specification 6.1.0, https://github.com/Unleash/client-specification.
package struct FlagState: Sendable, Equatable {
  /// Limits of what is taken.
  package enum Limit {
    package static let bytes = 8 << 20
    package static let flags = 10_000
    package static let values = 1_000
  }

  package var flags: [FlagDefinition] = []
  package var segments: [SegmentDefinition] = []

  package init(flags: [FlagDefinition] = [], segments: [SegmentDefinition] = []) {
    self.flags = flags
    self.segments = segments
  }
}

/// A flag: the strategies by which it is on, and its variants.
package struct FlagDefinition: Sendable, Equatable {
  package var name: String
  /// The kind of the flag, such as `release` or `kill-switch`.
  package var type: String?
  package var summary: String?
  package var project: String?
  package var isEnabled = false
  package var isStale = false
  package var hasImpressionData = false
  package var strategies: [StrategyDefinition] = []
  package var variants: [VariantDefinition] = []
  package var dependencies: [DependencyDefinition] = []

  package init(name: String) { self.name = name }
}

/// A strategy: a rule by its name and parameters, which holds where all constraints and segments do.
package struct StrategyDefinition: Sendable, Equatable {
  package var name = ""
  package var parameters: [String: String] = [:]
  package var constraints: [ConstraintDefinition] = []
  package var segments: [Int] = []
  package var variants: [VariantDefinition] = []

  package init() {}
}

/// A condition on a field of the context.
package struct ConstraintDefinition: Sendable, Equatable {
  package var field = ""
  package var `operator` = ""
  package var values: [String] = []
  package var value: String?
  package var isInverted = false
  package var ignoresCase = false

  package init() {}
}

/// Constraints under a number, which strategies have in common.
package struct SegmentDefinition: Sendable, Equatable {
  package var id = 0
  package var name: String?
  package var constraints: [ConstraintDefinition] = []

  package init() {}
}

/// A variant of a flag or of a strategy.
package struct VariantDefinition: Sendable, Equatable {
  package var name = ""
  /// The share of users, in proportion to the sum of all.
  package var weight = 0
  package var stickiness: String?
  package var payload: FlagPayload?
  package var overrides: [OverrideDefinition] = []

  package init() {}
}

/// Values of a field that lead to a variant whatever its weight.
package struct OverrideDefinition: Sendable, Equatable {
  package var field = ""
  package var values: [String] = []

  package init() {}
}

/// A flag that must be on, or off, for another one to be on.
package struct DependencyDefinition: Sendable, Equatable {
  package var flag = ""
  package var isEnabled = true
  /// The variants one of which the parent must have; any where there are none.
  package var variants: [String] = []

  package init() {}
}
