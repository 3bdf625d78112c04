package import MPaaSJSON

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The time that passes before an answer, in milliseconds.
package enum DelayDistribution: Sendable, Equatable {
  case fixed(Int)
  case uniform(lower: Int, upper: Int)
  case logNormal(median: Double, sigma: Double, most: Double?)

  init(_ reader: StubReader) throws(StubProblem) {
    let kind = try reader.text("type") ?? Self.kind(of: reader)
    let range = 0...ResponseDefinition.longestDelay
    switch kind {
    case "fixed":
      guard let time = reader["milliseconds"] else { throw reader.problem("needs milliseconds") }
      self = .fixed(try time.whole(range))
    case "uniform":
      guard let lower = reader["lower"], let upper = reader["upper"] else {
        throw reader.problem("needs lower and upper")
      }
      let bounds = (try lower.whole(range), try upper.whole(range))
      guard bounds.0 <= bounds.1 else { throw upper.problem("is below lower") }
      self = .uniform(lower: bounds.0, upper: bounds.1)
    case "lognormal":
      guard let median = reader["median"], let sigma = reader["sigma"] else {
        throw reader.problem("needs median and sigma")
      }
      let values = (try median.double(), try sigma.double())
      guard values.0 > 0, values.1 >= 0, values.1 <= 100 else {
        throw reader.problem("median and sigma must be above 0")
      }
      self = .logNormal(median: values.0, sigma: values.1, most: try reader["maxValue"]?.double())
    default: throw reader.problem("type is none of fixed, uniform, lognormal")
    }
  }

  private static func kind(of reader: StubReader) -> String {
    reader["milliseconds"] != nil ? "fixed" : reader["lower"] != nil ? "uniform" : "lognormal"
  }

  package var document: JSONNode {
    switch self {
    case .fixed(let time): .members([("type", .text("fixed")), ("milliseconds", .whole(time))])
    case .uniform(let lower, let upper):
      .members([("type", .text("uniform")), ("lower", .whole(lower)), ("upper", .whole(upper))])
    case .logNormal(let median, let sigma, let most):
      .members([
        ("type", .text("lognormal")), ("median", .number(median)), ("sigma", .number(sigma)),
        ("maxValue", most.map { .number($0) }),
      ])
    }
  }

  /// A time of the distribution.
  package func milliseconds(_ random: inout some RandomNumberGenerator) -> Double {
    switch self {
    case .fixed(let time): return Double(time)
    case .uniform(let lower, let upper): return Double(Int.random(in: lower...upper, using: &random))
    case .logNormal(let median, let sigma, let most):
      // Box and Muller: two uniform numbers make a normal one.
      let one = Double.random(in: Double.leastNonzeroMagnitude..<1, using: &random)
      let other = Double.random(in: 0..<1, using: &random)
      let normal = (-2 * log(one)).squareRoot() * cos(2 * .pi * other)
      let limit = min(most ?? .infinity, Double(ResponseDefinition.longestDelay))
      return min(median * exp(sigma * normal), limit)
    }
  }
}
