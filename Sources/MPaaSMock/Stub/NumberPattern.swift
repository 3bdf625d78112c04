package import MPaaSJSON

/// A number that a text is compared with, digit by digit.
package struct NumberPattern: Sendable {
  package enum Comparison: String, Sendable {
    case equal = "equalToNumber"
    case greater = "greaterThanNumber"
    case greaterOrEqual = "greaterThanEqualNumber"
    case less = "lessThanNumber"
    case lessOrEqual = "lessThanEqualNumber"
  }

  package let comparison: Comparison
  package let number: JSONNumber

  package init(_ comparison: Comparison, _ number: JSONNumber) {
    self.comparison = comparison
    self.number = number
  }

  init(_ word: String, _ value: StubReader) throws(StubProblem) {
    guard let comparison = Comparison(rawValue: word) else { throw value.problem("is no comparison") }
    guard let number = value.node.number ?? value.node.string.flatMap({ JSONNumber.lenient($0) }) else {
      throw value.problem("must be a number, and is \(value.node.kind)")
    }
    self.init(comparison, number)
  }

  func matches(_ text: String) -> Bool {
    guard let value = JSONNumber.lenient(text) else { return false }
    return switch comparison {
    case .equal: value == number
    case .greater: value > number
    case .greaterOrEqual: value >= number
    case .less: value < number
    case .lessOrEqual: value <= number
    }
  }

  /// A hundredth for each digit of what lies between.
  func distance(_ text: String) -> Double {
    if matches(text) { return 0 }
    guard let value = JSONNumber.lenient(text) else { return 1 }
    var rest = abs(value.double - number.double)
    var digits = 1.0
    while rest >= 10, digits < 99 {
      rest /= 10
      digits += 1
    }
    return digits / 100
  }

  var document: JSONNode { .members([(comparison.rawValue, JSONNode(.number(number)))]) }
}
