#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Intervals of counts of samples, and of differences of two of them.
///
/// - Source: Wilson 1927 (score intervals); Newcombe 1998, "Interval estimation for the difference between independent
///   proportions", method 10; Zou and Donner 2008, "Construction of confidence limits about effect measures" (MOVER), of
///   which Newcombe's is the case of proportions.
package struct CountInterval: Sendable, Equatable {
  package let low: Double
  package let high: Double

  package init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }

  /// The score interval of a Poisson count.
  static func poisson(_ count: Double, _ z: Double) -> CountInterval {
    let middle = count + z * z / 2
    let half = z * (count + z * z / 4).squareRoot()
    return CountInterval(low: max(0, middle - half), high: middle + half)
  }

  /// Wilson's interval of a proportion, from 0 to 1.
  static func proportion(_ count: Double, of whole: Double, _ z: Double) -> CountInterval {
    guard whole > 0 else { return CountInterval(low: 0, high: 1) }
    let share = min(max(count / whole, 0), 1)
    let middle = share + z * z / (2 * whole)
    let half = z * (share * (1 - share) / whole + z * z / (4 * whole * whole)).squareRoot()
    let scale = 1 + z * z / whole
    return CountInterval(low: max(0, (middle - half) / scale), high: min(1, (middle + half) / scale))
  }

  /// The interval of `after - before`, of the intervals of both.
  static func difference(
    _ before: Double, _ one: CountInterval, _ after: Double, _ other: CountInterval
  ) -> CountInterval {
    let difference = after - before
    let down = ((after - other.low) * (after - other.low) + (one.high - before) * (one.high - before)).squareRoot()
    let up = ((other.high - after) * (other.high - after) + (before - one.low) * (before - one.low)).squareRoot()
    return CountInterval(low: difference - down, high: difference + up)
  }

  /// The number of standard deviations within which a normal value stays with a confidence, all of `tests` at once
  /// (Bonferroni).
  static func deviations(confidence: Double, tests: Int) -> Double {
    quantile(1 - (1 - confidence) / (2 * Double(max(tests, 1))))
  }

  /// The inverse of the normal distribution for a probability over a half, by bisection of the complementary error
  /// function.
  private static func quantile(_ probability: Double) -> Double {
    var (low, high) = (0.0, 40.0)
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if 1 - erfc(middle / 2.0.squareRoot()) / 2 < probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
