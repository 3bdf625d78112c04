import Foundation

/// The numbers that tests of chance need.
enum Statistics {
  /// Tells whether a count of what happens with this probability lies within `deviations` standard deviations of its
  /// mean.
  static func isBinomial(_ count: Int, of trials: Int, _ probability: Double, deviations: Double = 4) -> Bool {
    let mean = Double(trials) * probability
    return abs(Double(count) - mean) <= deviations * (mean * (1 - probability)).squareRoot() + 1
  }

  /// The largest distance between the values' distribution and `cumulative`, times the root of their number.
  ///
  /// Below 1.63 in 99 of 100 cases where they are of that distribution, below 1.95 in 999 of 1000 (Kolmogorov).
  static func kolmogorov(_ values: [Double], _ cumulative: (Double) -> Double) -> Double {
    let sorted = values.sorted()
    let count = Double(sorted.count)
    var distance = 0.0
    for (index, value) in sorted.enumerated() {
      let share = cumulative(value)
      distance = max(distance, abs(share - Double(index) / count), abs(Double(index + 1) / count - share))
    }
    return distance * count.squareRoot()
  }

  static func normal(_ value: Double) -> Double { erfc(-value / 2.0.squareRoot()) / 2 }

  /// Pareto's distribution of shape 3, moved and scaled as iproute2's table.
  static func pareto(_ value: Double) -> Double {
    let original = value * 0.75 + 1.5
    return original <= 1 ? 0 : value >= 4 ? 1 : 1 - pow(original, -3)
  }
}
