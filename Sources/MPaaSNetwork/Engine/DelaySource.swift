#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The delays of one link under a latency, one after the other.
struct DelaySource {
  private let delay: Double
  private let jitter: Double
  private let distribution: Latency.Distribution
  private let correlation: Double
  /// The last draw as a standard normal number, by which the next one is alike.
  private var previous: Double?

  init(_ latency: Latency) {
    delay = min(Double(latency.delay.inNanoseconds), 9e18)
    jitter = min(Double(latency.jitter.inNanoseconds), 9e18)
    distribution = latency.distribution
    correlation = min(max(latency.correlation, 0), 1)
  }

  /// The next delay in nanoseconds, never below 0.
  mutating func next(_ random: inout LinkRandom) -> Int64 {
    guard jitter > 0 else { return Int64(max(0, delay)) }
    let value = delay + jitter * Self.quantile(draw(&random), distribution)
    return Int64(max(0, min(value.rounded(), 9e18)))
  }

  /// A number between 0 and 1, evenly; alike to the last by the correlation of the normal numbers behind them.
  ///
  /// So a correlation leaves the distribution as it is, unlike netem's, which narrows it.
  private mutating func draw(_ random: inout LinkRandom) -> Double {
    let share = random.openShare()
    guard correlation > 0 else { return share }
    let fresh = Self.normalQuantile(share)
    let value = previous.map { correlation * $0 + (1 - correlation * correlation).squareRoot() * fresh } ?? fresh
    previous = value
    return min(max(erfc(-value / 2.0.squareRoot()) / 2, 0x1p-53), 1 - 0x1p-53)
  }

  /// The number of jitters that the delay is off its mean, for the share of delays that are smaller.
  static func quantile(_ share: Double, _ distribution: Latency.Distribution) -> Double {
    switch distribution {
    case .uniform: 2 * share - 1
    case .normal: normalQuantile(share)
    case .pareto: paretoQuantile(share)
    case .paretonormal: 0.25 * normalQuantile(share) + 0.75 * paretoQuantile(share)
    }
  }

  /// That of iproute2's table `pareto`: shape 3, its mean at 0, scaled by 4/3, at most 4.
  private static func paretoQuantile(_ share: Double) -> Double {
    min((pow(1 - share, -1.0 / 3) - 1.5) * 4 / 3, 4)
  }

  /// The inverse of the normal distribution, to 9 digits.
  ///
  /// Source: the rational approximation of Peter J. Acklam.
  static func normalQuantile(_ share: Double) -> Double {
    let edge = 0.02425
    if share < edge { return tail(share) }
    if share > 1 - edge { return -tail(1 - share) }
    let centre = share - 0.5
    let square = centre * centre
    let upper = polynomial(
      square,
      -3.969683028665376e1, 2.209460984245205e2, -2.759285104469687e2, 1.383577518672690e2, -3.066479806614716e1,
      2.506628277459239)
    let lower = polynomial(
      square,
      -5.447609879822406e1, 1.615858368580409e2, -1.556989798598866e2, 6.680131188771972e1, -1.328068155288572e1, 1)
    return centre * upper / lower
  }

  private static func tail(_ share: Double) -> Double {
    let root = (-2 * log(share)).squareRoot()
    let upper = polynomial(
      root,
      -7.784894002430293e-3, -3.223964580411365e-1, -2.400758277161838, -2.549732539343734, 4.374664141464968,
      2.938163982698783)
    let lower = polynomial(
      root, 0, 7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1)
    return upper / lower
  }

  private static func polynomial(
    _ x: Double, _ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double
  ) -> Double {
    ((((a * x + b) * x + c) * x + d) * x + e) * x + f
  }
}
