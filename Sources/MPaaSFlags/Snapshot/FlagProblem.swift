package import MPaaSPattern

/// Something in a state that has no meaning, so that a flag, or a strategy of it, is never on.
package struct FlagProblem: Sendable, Equatable {
  /// A kind of problem.
  package enum Kind: Sendable, Equatable {
    case unknownSegment(Int)
    case unknownOperator(String)
    case unknownStrategy(String)
    /// A value that is not of the operator's kind.
    case badValue(operator: String, value: String)
    case noValues(operator: String)
    case badPattern(String, PatternError.Code)
    case badPercentage(String)
    case unknownParent(String)
    /// A parent that has parents itself.
    case parentWithParents(String)
  }

  package let kind: Kind
  package let flag: String
  /// The strategy, from 1; nil for the flag as a whole.
  package let strategy: Int?
}
