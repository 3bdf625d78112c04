/// The signs of expressions, as the interpreter and compiled documents use them.
///
/// Whole numbers that leave 64 bits become real ones. A comparison with nil is false, and arithmetic with nil is nil.
public enum DAOOperation {
  /// Tells whether two values are equal: numbers and texts that spell numbers as numbers, texts by their bytes.
  public static func areEqual(_ left: DAOValue, _ right: DAOValue) -> Bool {
    if case .text(let one) = left, case .text(let other) = right { return one.utf8.elementsEqual(other.utf8) }
    if let one = left.number, let other = right.number { return one == other }
    return left == right
  }

  /// `<`.
  ///
  /// - Throws: `dao-expression` where one is no number and the other no text.
  public static func isLess(_ left: DAOValue, _ right: DAOValue, _ sign: String = "<") throws(DAOError) -> Bool {
    guard isComparable(left, right) else { return false }
    if case .text(let one) = left, case .text(let other) = right {
      return one.utf8.lexicographicallyPrecedes(other.utf8)
    }
    guard let one = left.number, let other = right.number else { throw mismatch(sign, left, right) }
    return one < other
  }

  /// `>`.
  public static func isGreater(_ left: DAOValue, _ right: DAOValue) throws(DAOError) -> Bool {
    try isLess(right, left, ">")
  }

  /// `<=`.
  public static func isAtMost(_ left: DAOValue, _ right: DAOValue) throws(DAOError) -> Bool {
    guard isComparable(left, right) else { return false }
    return try !isLess(right, left, "<=")
  }

  /// `>=`.
  public static func isAtLeast(_ left: DAOValue, _ right: DAOValue) throws(DAOError) -> Bool {
    guard isComparable(left, right) else { return false }
    return try !isLess(left, right, ">=")
  }

  /// Tells whether neither side is nil: a comparison with nil is false.
  private static func isComparable(_ left: DAOValue, _ right: DAOValue) -> Bool { left != .null && right != .null }

  private static func mismatch(_ sign: String, _ left: DAOValue, _ right: DAOValue) -> DAOError {
    DAOError(
      .expression,
      DAOError.reason("mismatch", "{left} {sign} {right}", ["left": left.kind, "sign": sign, "right": right.kind]))
  }
}

extension DAOOperation {
  /// The number with a sign in front: `+`.
  ///
  /// - Throws: `dao-expression` where it is no number.
  public static func positive(_ value: DAOValue) throws(DAOError) -> DAOValue {
    if case .null = value { return .null }
    guard let number = value.number else { throw mismatch("-", value, .null) }
    return number.value
  }

  /// The number with a sign in front: `-`.
  public static func negative(_ value: DAOValue) throws(DAOError) -> DAOValue {
    if case .null = value { return .null }
    guard let number = value.number else { throw mismatch("-", value, .null) }
    return difference(.integer(0), number).value
  }

  /// `+`.
  ///
  /// - Throws: `dao-expression` where one side is no number.
  public static func sum(_ left: DAOValue, _ right: DAOValue) throws(DAOError) -> DAOValue {
    try calculate("+", left, right) { one, other throws(DAOError) in sum(one, other) }
  }

  /// `-`.
  public static func difference(_ left: DAOValue, _ right: DAOValue) throws(DAOError) -> DAOValue {
    try calculate("-", left, right) { one, other throws(DAOError) in difference(one, other) }
  }

  /// `*`.
  public static func product(_ left: DAOValue, _ right: DAOValue) throws(DAOError) -> DAOValue {
    try calculate("*", left, right) { one, other throws(DAOError) in product(one, other) }
  }

  /// `/`, which is real.
  ///
  /// - Throws: `dao-expression` where one side is no number, or the right one is 0.
  public static func ratio(_ left: DAOValue, _ right: DAOValue) throws(DAOError) -> DAOValue {
    try calculate("/", left, right) { one, other throws(DAOError) in .real(one.real / (try divisor(other)).real) }
  }

  /// `\`, which cuts what is behind the point.
  public static func quotient(_ left: DAOValue, _ right: DAOValue) throws(DAOError) -> DAOValue {
    try calculate("\\", left, right) { one, other throws(DAOError) in quotient(one, try divisor(other)) }
  }

  /// `%`, with the sign of the left side.
  public static func remainder(_ left: DAOValue, _ right: DAOValue) throws(DAOError) -> DAOValue {
    try calculate("%", left, right) { one, other throws(DAOError) in remainder(one, try divisor(other)) }
  }

  private static func divisor(_ number: DAONumber) throws(DAOError) -> DAONumber {
    guard !number.isZero else { throw DAOError(.expression, DAOError.reason("by-zero", "a division by 0")) }
    return number
  }

  private static func calculate(
    _ sign: String, _ left: DAOValue, _ right: DAOValue,
    _ body: (DAONumber, DAONumber) throws(DAOError) -> DAONumber
  ) throws(DAOError) -> DAOValue {
    guard isComparable(left, right) else { return .null }
    guard let one = left.number, let other = right.number else { throw mismatch(sign, left, right) }
    return try body(one, other).value
  }

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
