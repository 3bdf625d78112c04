import MPaaSDAO

/// Writes expressions of conditions as Swift, with the meaning that the interpreter gives them.
///
/// A part that can fail becomes a constant in a line before, so that nothing is evaluated that the interpreter passes
/// over.
struct ExpressionWriter {
  /// The lines before the expression.
  private(set) var code = SwiftCode()
  private var count = 0
  private let slot: (Int) -> String

  /// - Parameter slot: The name of a slot's constant.
  init(_ slot: @escaping (Int) -> String) { self.slot = slot }

  /// True where the expression can fail, or needs lines before it.
  var hasLines: Bool { !code.lines.isEmpty }

  private mutating func constant(_ expression: String) -> String {
    count += 1
    code.line("let value\(count) = \(expression)")
    return "value\(count)"
  }

  /// An expression of `Bool`.
  mutating func truth(_ expression: DAOExpression) -> String {
    switch expression {
    case .not(let operand): return "!(\(truth(operand)))"
    case .binary(.or, let left, let right): return choice(left, right, isOr: true)
    case .binary(.and, let left, let right): return choice(left, right, isOr: false)
    case .binary(.xor, let left, let right):
      let one = truth(left)
      return "(\(one) != \(truth(right)))"
    case .binary(.equal, let left, let right): return equality(left, right)
    case .binary(.unequal, let left, let right): return "!\(equality(left, right))"
    case .binary(.less, let left, let right): return comparison("isLess", left, right)
    case .binary(.greater, let left, let right): return comparison("isGreater", left, right)
    case .binary(.atMost, let left, let right): return comparison("isAtMost", left, right)
    case .binary(.atLeast, let left, let right): return comparison("isAtLeast", left, right)
    default: return "\(value(expression)).isTrue"
    }
  }

  private mutating func equality(_ left: DAOExpression, _ right: DAOExpression) -> String {
    let one = value(left)
    let other = value(right)
    if case .literal(.null) = right { return "(\(one) == .null)" }
    return "DAOOperation.areEqual(\(one), \(other))"
  }

  private mutating func comparison(_ name: String, _ left: DAOExpression, _ right: DAOExpression) -> String {
    let one = value(left)
    return constant("try DAOOperation.\(name)(\(one), \(value(right)))")
  }

  private mutating func choice(_ left: DAOExpression, _ right: DAOExpression, isOr: Bool) -> String {
    let one = truth(left)
    var inner = ExpressionWriter(slot)
    inner.count = count + 1
    let other = inner.truth(right)
    guard inner.hasLines else { return "(\(one) \(isOr ? "||" : "&&") \(other))" }
    let name = "value\(count + 1)"
    count = inner.count
    code.line("var \(name) = \(one)")
    code.block(isOr ? "if !\(name) {" : "if \(name) {") { block in
      block.append(inner.code)
      block.line("\(name) = \(other)")
    }
    return name
  }

  /// An expression of `DAOValue`.
  mutating func value(_ expression: DAOExpression) -> String {
    switch expression {
    case .literal(let value): return Self.literal(value)
    case .path(let path): return self.value(path)
    case .negative(let operand): return constant("try DAOOperation.negative(\(value(operand)))")
    case .positive(let operand): return constant("try DAOOperation.positive(\(value(operand)))")
    case .binary(.plus, let left, let right): return arithmetic("sum", left, right)
    case .binary(.minus, let left, let right): return arithmetic("difference", left, right)
    case .binary(.times, let left, let right): return arithmetic("product", left, right)
    case .binary(.divided, let left, let right): return arithmetic("ratio", left, right)
    case .binary(.whole, let left, let right): return arithmetic("quotient", left, right)
    case .binary(.remainder, let left, let right): return arithmetic("remainder", left, right)
    default: return "DAOValue.bool(\(truth(expression)))"
    }
  }

  private mutating func arithmetic(_ name: String, _ left: DAOExpression, _ right: DAOExpression) -> String {
    let one = value(left)
    return constant("try DAOOperation.\(name)(\(one), \(value(right)))")
  }

  private mutating func value(_ path: DAOPath) -> String {
    let root = root(path)
    guard !path.properties.isEmpty else { return root }
    return constant("try \(root)" + path.properties.map { ".property(\(Swift.literal($0)))" }.joined())
  }

  func root(_ path: DAOPath) -> String {
    switch path.root {
    case .slot(let number): slot(number)
    case .global(let name): "session.global(\(Swift.literal(name)))"
    }
  }

  static func literal(_ value: DAOValue) -> String {
    switch value {
    case .bool(let flag): "DAOValue.bool(\(flag))"
    case .integer(let number): "DAOValue.integer(\(number) as Int64)"
    case .real(let number): "DAOValue.real(\(number))"
    case .text(let text): "DAOValue.text(\(Swift.literal(text)))"
    default: "DAOValue.null"
    }
  }
}
