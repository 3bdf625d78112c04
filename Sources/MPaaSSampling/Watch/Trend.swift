#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The slope of a series of figures over time, with the interval that it lies in with 95 per cent confidence.
///
/// Neighboring figures of a process are alike, so they count as fewer than they are: by how much what is left beside the
/// line depends on what was left before it (first-order autocorrelation).
package struct Trend: Sendable, Equatable, Encodable {
  /// Units a second.
  package let slope: Double
  package let low: Double
  package let high: Double

  /// Tells whether the series goes up, beyond doubt.
  package var grows: Bool { low > 0 }

  /// Nil of fewer than four figures, or figures of one moment.
  package init?(_ points: [(time: Double, value: Double)]) {
    guard points.count >= 4 else { return nil }
    let count = Double(points.count)
    let middle = points.reduce(0) { $0 + $1.time } / count
    let mean = points.reduce(0) { $0 + $1.value } / count
    let spread = points.reduce(0) { $0 + ($1.time - middle) * ($1.time - middle) }
    guard spread > 0 else { return nil }
    let slope = points.reduce(0) { $0 + ($1.time - middle) * ($1.value - mean) } / spread
    let rests = points.map { $0.value - mean - slope * ($0.time - middle) }
    let squares = rests.reduce(0) { $0 + $1 * $1 }
    var products = 0.0
    for index in rests.indices.dropFirst() { products += rests[index] * rests[index - 1] }
    let likeness = squares > 0 ? min(max(products / squares, 0), 0.99) : 0
    let freedom = max(count * (1 - likeness) / (1 + likeness) - 2, 1)
    let error = (squares / freedom / spread).squareRoot() * Self.quantile(freedom)
    self.slope = slope
    low = slope - error
    high = slope + error
  }

  /// The 97.5 per cent quantile of Student's distribution: Hill's expansion, Algorithm 396 (CACM 13, 1970).
  static func quantile(_ freedom: Double) -> Double {
    if freedom < 1.5 { return 12.706 }
    if freedom < 2.5 { return 4.303 }
    let probability = 0.05
    let a = 1 / (freedom - 0.5)
    let b = 48 / (a * a)
    var c = ((20700 * a / b - 98) * a - 16) * a + 96.36
    let d = ((94.5 / (b + c) - 3) / b + 1) * (a * Double.pi / 2).squareRoot() * freedom
    var y = pow(d * probability, 2 / freedom)
    if y > 0.05 + a {
      let x = -1.959_963_985
      y = x * x
      if freedom < 5 { c += 0.3 * (freedom - 4.5) * (x + 0.6) }
      c += (((0.05 * d * x - 5) * x - 7) * x - 2) * x + b
      y = (((((0.4 * y + 6.3) * y + 36) * y + 94.5) / c - y - 3) / b + 1) * x
      y = expm1(a * y * y)
    } else {
      y =
        ((1 / (((freedom + 6) / (freedom * y) - 0.089 * d - 0.822) * (freedom + 2) * 3) + 0.5 / (freedom + 4)) * y
          - 1) * (freedom + 1) / (freedom + 2) + 1 / y
    }
    return (freedom * y).squareRoot()
  }
}
