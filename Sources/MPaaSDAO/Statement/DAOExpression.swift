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
  /// The value that the expression has where names stand for what `look` gives.
  ///
  /// - Throws: `dao-expression`, `dao-argument-type`.
  package func value(_ look: (DAOPath) throws(DAOError) -> DAOValue) throws(DAOError) -> DAOValue {
    switch self {
    case .literal(let value): return value
    case .path(let path): return try look(path)
    case .not(let operand): return .bool(try !operand.value(look).isTrue)
    case .negative(let operand): return try DAOOperation.negative(operand.value(look))
    case .positive(let operand): return try DAOOperation.positive(operand.value(look))
    case .binary(.or, let left, let right):
      if try left.value(look).isTrue { return .bool(true) }
      return .bool(try right.value(look).isTrue)
    case .binary(.and, let left, let right):
      guard try left.value(look).isTrue else { return .bool(false) }
      return .bool(try right.value(look).isTrue)
    case .binary(let sign, let left, let right):
      return try Self.combine(sign, try left.value(look), try right.value(look))
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
