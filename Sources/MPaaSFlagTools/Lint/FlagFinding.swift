package import MPaaSFlags
import MPaaSSupport

/// Something in a state that is wrong, or of no use.
package struct FlagFinding: Sendable, Equatable {
  /// Tells whether it keeps a flag from meaning what it says.
  package enum Severity: String, Sendable, Encodable { case error, warning }

  package let severity: Severity
  /// The kind of the finding, with the values that its texts name.
  package let error: FlagError

  init(_ severity: Severity, _ code: FlagError.Code, _ values: [String: String]) {
    self.severity = severity
    error = FlagError(code, values)
  }
}

extension FlagError.Code {
  package static var nameTwice: Self { malformed("flags-name-twice") }
  package static var segmentTwice: Self { malformed("flags-segment-twice") }
  package static var segmentUnknown: Self { malformed("flags-segment-unknown") }
  package static var segmentUnused: Self { malformed("flags-segment-unused") }
  package static var operatorUnknown: Self { malformed("flags-operator-unknown") }
  package static var strategyUnknown: Self { malformed("flags-strategy-unknown") }
  package static var valueMalformed: Self { malformed("flags-value-malformed") }
  package static var valuesMissing: Self { malformed("flags-values-missing") }
  package static var patternMalformed: Self { malformed("flags-pattern-malformed") }
  package static var percentageMalformed: Self { malformed("flags-percentage-malformed") }
  package static var parentUnknown: Self { malformed("flags-parent-unknown") }
  package static var parentNested: Self { malformed("flags-parent-nested") }
  package static var cycle: Self { malformed("flags-cycle") }
  /// A strategy behind one that always holds.
  package static var strategyUnreachable: Self { malformed("flags-strategy-unreachable") }
  /// A strategy that holds in no context.
  package static var strategyNever: Self { malformed("flags-strategy-never") }
  /// A strategy behind one that holds wherever it does.
  package static var strategyCovered: Self { malformed("flags-strategy-covered") }
  /// A strategy whose constraints leave no value of a field.
  package static var strategyContradiction: Self { malformed("flags-strategy-contradiction") }
  /// A strategy whose time has ended.
  package static var strategyOver: Self { malformed("flags-strategy-over") }
  /// A parent that has none of the variants that are asked for.
  package static var parentVariant: Self { malformed("flags-parent-variant") }
  /// A flag that its operator calls stale.
  package static var stale: Self { malformed("flags-stale") }
  /// A flag that is enabled, and off in every context.
  package static var dead: Self { malformed("flags-dead") }
  /// A variant without weight and overrides.
  package static var variantNever: Self { malformed("flags-variant-never") }
}
