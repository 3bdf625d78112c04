/// An expression of a condition.
package indirect enum DAOExpression: Sendable, Hashable {
  package enum Operator: String, Sendable, Hashable {
    case or, xor, and
    case equal = "=="
    case unequal = "!="
    case less = "<"
    case greater = ">"
    case atMost = "<="
    case atLeast = ">="
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case whole = "\\"
    case remainder = "%"
  }

  case literal(DAOValue)
  case path(DAOPath)
  case not(DAOExpression)
  case negative(DAOExpression)
  case positive(DAOExpression)
  case binary(Operator, DAOExpression, DAOExpression)
}

extension DAOExpression {
  /// The value that the expression has in a scope.
  ///
  /// - Throws: `dao-expression`, `dao-argument-type`.
  package func value(_ scope: DAOScope) throws(DAOError) -> DAOValue {
    switch self {
    case .literal(let value): return value
    case .path(let path): return try scope.value(path)
    case .not(let operand): return .bool(try !operand.value(scope).isTrue)
    case .negative(let operand): return try DAOOperation.negative(operand.value(scope))
    case .positive(let operand): return try DAOOperation.positive(operand.value(scope))
    case .binary(.or, let left, let right):
      if try left.value(scope).isTrue { return .bool(true) }
      return .bool(try right.value(scope).isTrue)
    case .binary(.and, let left, let right):
      guard try left.value(scope).isTrue else { return .bool(false) }
      return .bool(try right.value(scope).isTrue)
    case .binary(let sign, let left, let right):
      return try Self.combine(sign, try left.value(scope), try right.value(scope))
    }
  }

  private static func combine(_ sign: Operator, _ left: DAOValue, _ right: DAOValue) throws(DAOError) -> DAOValue {
    switch sign {
    case .or, .and: .bool(left.isTrue && right.isTrue)
    case .xor: .bool(left.isTrue != right.isTrue)
    case .equal: .bool(DAOOperation.areEqual(left, right))
    case .unequal: .bool(!DAOOperation.areEqual(left, right))
    case .less: .bool(try DAOOperation.isLess(left, right))
    case .greater: .bool(try DAOOperation.isGreater(left, right))
    case .atMost: .bool(try DAOOperation.isAtMost(left, right))
    case .atLeast: .bool(try DAOOperation.isAtLeast(left, right))
    case .plus: try DAOOperation.sum(left, right)
    case .minus: try DAOOperation.difference(left, right)
    case .times: try DAOOperation.product(left, right)
    case .divided: try DAOOperation.ratio(left, right)
    case .whole: try DAOOperation.quotient(left, right)
    case .remainder: try DAOOperation.remainder(left, right)
    }
  }
}
