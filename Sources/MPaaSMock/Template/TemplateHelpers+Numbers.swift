import MPaaSJSON
import MPaaSSupport

extension TemplateHelpers {
  /// Helpers that count, or draw at random.
  static let numbers: [String: Helper] = [
    "math": { arguments, _ in math(arguments) },
    "range": { arguments, _ in
      guard let start = arguments[0].whole, let end = arguments[1].whole, start <= end else {
        return error("range needs a lower and an upper bound")
      }
      guard end &- start < 100_000, end &- start >= 0 else { return error("a range has at most 100,000 numbers") }
      return .list((start...end).map { .json(.whole($0)) })
    },
    "randomInt": { arguments, run in
      let (lower, upper) = (arguments.whole("lower") ?? Int(Int32.min), arguments.whole("upper") ?? Int(Int32.max))
      guard lower < upper else { return error("upper is not above lower") }
      var generator = run.context.random.generator
      return .json(.whole(Int.random(in: lower..<upper, using: &generator)))
    },
    "randomDecimal": { arguments, run in
      let lower = arguments.options["lower"]?.double ?? -1e6
      let upper = arguments.options["upper"]?.double ?? 1e6
      guard lower < upper, (upper - lower).isFinite else { return error("upper is not above lower") }
      var generator = run.context.random.generator
      return .number(Double.random(in: lower..<upper, using: &generator))
    },
    "pickRandom": { arguments, run in
      let values = arguments.values.count == 1 ? arguments[0].elements ?? arguments.values : arguments.values
      guard !values.isEmpty else { return error("pickRandom has nothing to pick from") }
      return values[Int(run.context.random.next() % UInt64(values.count))]
    },
    "randomValue": { arguments, run in randomValue(arguments, run) },
    "numberFormat": { arguments, _ in
      guard let value = arguments[0].double else { return error("numberFormat needs a number") }
      let pattern = arguments[1].text
      let digits =
        arguments.whole("maximumFractionDigits") ?? pattern.split(separator: ".").dropFirst().first?.count ?? 3
      return .text(fixed(value, digits: min(max(digits, 0), 15)))
    },
    "isOdd": { arguments, _ in .flag((arguments[0].whole ?? 0) % 2 != 0) },
    "isEven": { arguments, _ in .flag((arguments[0].whole ?? 1) % 2 == 0) },
  ]

  private static func math(_ arguments: TemplateArguments) -> TemplateValue {
    guard let left = arguments[0].double, let right = arguments[2].double else {
      return error("all maths functions require two operands and an operator")
    }
    let result: Double
    switch arguments[1].text {
    case "+": result = left + right
    case "-": result = left - right
    case "*", "x": result = left * right
    case "/":
      guard right != 0 else { return error("division by zero") }
      result = left / right
    case "%":
      guard right != 0 else { return error("division by zero") }
      result = left.truncatingRemainder(dividingBy: right)
    default: return error("\(arguments[1].text) is not a known mathematical operator")
    }
    guard result.isFinite else { return error("the result is no number") }
    return .number(result)
  }

  private static let letters = Array("abcdefghijklmnopqrstuvwxyz")
  private static let digits = Array("0123456789")
  private static let signs = Array("!#$%&()*+,-./:;=?@[]^_{|}~")

  private static func randomValue(_ arguments: TemplateArguments, _ run: TemplateRun) -> TemplateValue {
    let random = run.context.random
    let length = min(max(arguments.whole("length") ?? 36, 0), 100_000)
    let kind = arguments.text("type") ?? "ALPHANUMERIC"
    let alphabet: [Character]
    switch kind {
    case "UUID": return .text(arguments.flag("uppercase") ? random.uuid().uppercased() : random.uuid())
    case "NUMERIC": alphabet = digits
    case "ALPHABETIC": alphabet = letters
    case "ALPHANUMERIC": alphabet = letters + digits
    case "ALPHANUMERIC_AND_SYMBOLS": alphabet = letters + digits + signs
    case "HEXADECIMAL": alphabet = digits + Array("abcdef")
    default: return error("\(kind) is not a type of random values")
    }
    var text = ""
    for _ in 0..<length { text.append(alphabet[Int(random.next() % UInt64(alphabet.count))]) }
    return .text(arguments.flag("uppercase") ? text.uppercased() : text)
  }

  /// A number with so many digits behind its point.
  static func fixed(_ value: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { power, _ in power * 10 }
    guard abs(value) * scale < 9e15 else { return "\(value)" }
    let whole = Int((abs(value) * scale).rounded())
    let text = whole.padded(to: digits + 1)
    let sign = value < 0 && whole != 0 ? "-" : ""
    return digits == 0 ? sign + text : sign + text.dropLast(digits) + "." + text.suffix(digits)
  }
}
