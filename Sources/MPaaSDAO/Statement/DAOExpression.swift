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
    case .negative(let operand), .positive(let operand):
      let value = try operand.value(look)
      if case .null = value { return .null }
      guard let number = value.number else { throw Self.mismatch("-", value, .null) }
      if case .positive = self { return number.value }
      return Self.difference(.integer(0), number).value
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
    case .equal: .bool(areEqual(left, right))
    case .unequal: .bool(!areEqual(left, right))
    case .less: .bool(try isLess(sign, left, right))
    case .greater: .bool(try isLess(sign, right, left))
    case .atMost: .bool(try isAtLeast(sign, right, left))
    case .atLeast: .bool(try isAtLeast(sign, left, right))
    case .plus, .minus, .times, .divided, .whole, .remainder: try arithmetic(sign, left, right)
    }
  }

  private static func areEqual(_ left: DAOValue, _ right: DAOValue) -> Bool {
    if case .text(let one) = left, case .text(let other) = right { return one.utf8.elementsEqual(other.utf8) }
    if let one = left.number, let other = right.number { return one == other }
    return left == right
  }

  /// Tells whether neither side is nil: a comparison with nil is false.
  private static func isComparable(_ left: DAOValue, _ right: DAOValue) -> Bool { left != .null && right != .null }

  private static func isLess(_ sign: Operator, _ left: DAOValue, _ right: DAOValue) throws(DAOError) -> Bool {
    guard isComparable(left, right) else { return false }
    if case .text(let one) = left, case .text(let other) = right {
      return one.utf8.lexicographicallyPrecedes(other.utf8)
    }
    guard let one = left.number, let other = right.number else { throw mismatch(sign.rawValue, left, right) }
    return one < other
  }

  private static func isAtLeast(_ sign: Operator, _ left: DAOValue, _ right: DAOValue) throws(DAOError) -> Bool {
    guard isComparable(left, right) else { return false }
    return try !isLess(sign, left, right)
  }

  private static func mismatch(_ sign: String, _ left: DAOValue, _ right: DAOValue) -> DAOError {
    DAOError(.expression, ["reason": "\(left.kind) \(sign) \(right.kind)"])
  }

  private static func arithmetic(
    _ sign: Operator, _ left: DAOValue, _ right: DAOValue
  ) throws(DAOError) -> DAOValue {
    guard isComparable(left, right) else { return .null }
    guard let one = left.number, let other = right.number else { throw mismatch(sign.rawValue, left, right) }
    switch sign {
    case .plus: return sum(one, other).value
    case .minus: return difference(one, other).value
    case .times: return product(one, other).value
    default: break
    }
    guard !other.isZero else { throw DAOError(.expression, ["reason": "a division by 0"]) }
    switch sign {
    case .whole: return quotient(one, other).value
    case .remainder: return remainder(one, other).value
    default: return .real(one.real / other.real)
    }
  }
}

// Whole numbers that leave 64 bits become real ones.
extension DAOExpression {
  private static func whole(
    _ left: DAONumber, _ right: DAONumber, _ calculate: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
  ) -> DAONumber? {
    guard case .integer(let one) = left, case .integer(let other) = right else { return nil }
    let (value, overflow) = calculate(one, other)
    return overflow ? nil : .integer(value)
  }

  private static func sum(_ left: DAONumber, _ right: DAONumber) -> DAONumber {
    whole(left, right) { $0.addingReportingOverflow($1) } ?? .real(left.real + right.real)
  }

  private static func difference(_ left: DAONumber, _ right: DAONumber) -> DAONumber {
    whole(left, right) { $0.subtractingReportingOverflow($1) } ?? .real(left.real - right.real)
  }

  private static func product(_ left: DAONumber, _ right: DAONumber) -> DAONumber {
    whole(left, right) { $0.multipliedReportingOverflow(by: $1) } ?? .real(left.real * right.real)
  }

  private static func quotient(_ left: DAONumber, _ right: DAONumber) -> DAONumber {
    if let quotient = whole(left, right, { $0.dividedReportingOverflow(by: $1) }) { return quotient }
    let quotient = (left.real / right.real).rounded(.towardZero)
    return Int64(exactly: quotient).map(DAONumber.integer) ?? .real(quotient)
  }

  private static func remainder(_ left: DAONumber, _ right: DAONumber) -> DAONumber {
    whole(left, right) { $0.remainderReportingOverflow(dividingBy: $1) }
      ?? .real(left.real.truncatingRemainder(dividingBy: right.real))
  }
}
