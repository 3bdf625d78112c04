#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Tells whether sessions with a patch crash more often than sessions without it: a sequential likelihood-ratio test
/// that may be looked at after every session.
///
/// The ratio is that of a mixture of alternatives (3.6 times the baseline with weight 0.88, 10 times with 0.12) against
/// the baseline. Under the baseline it is a martingale that begins at 1, so the chance that it ever reaches 100 is at
/// most 1 %, however often one looks (Ville's inequality). The weights keep both medians, for three times the baseline
/// and for ten times, as low as they can be together; a single alternative of 3 needs 257 sessions to see ten times.
///
/// Source: A. Wald, "Sequential Analysis" (1947); H. Robbins, "Statistical methods related to the law of the iterated
/// logarithm" (1970), for mixtures.
package struct CrashRateTest: Sendable, Equatable {
  /// The ratio from which a rollout is halted.
  package static let haltRatio = 100.0
  /// Before so many sessions nothing is halted.
  package static let minimumSessions = 50

  static let alternatives: [(multiple: Double, weight: Double)] = [(3.6, 0.88), (10, 0.12)]

  /// The part of the sessions without the patch that crashed.
  package let baseline: Double
  private let gains: [(crash: Double, calm: Double, weight: Double)]

  /// - Parameter baseline: From 0 to 1; taken as at least one in 100,000, since no rate is above a multiple of nothing.
  package init(baseline: Double) {
    let baseline = min(max(baseline, 1e-5), 0.5)
    self.baseline = baseline
    gains = Self.alternatives.map { alternative in
      // A rate stays below 1 even where the baseline is high.
      let rate = min(alternative.multiple * baseline, (1 + baseline) / 2)
      return (log(rate / baseline), log((1 - rate) / (1 - baseline)), alternative.weight)
    }
  }

  /// The rate of a baseline as parts of a million, from devices without the patch: one crash more is taken, so that few
  /// devices do not make a baseline of nothing.
  package static func perMillion(devices: Int, crashed: Int) -> Int {
    min(1_000_000, Int((Double(crashed) + 1) / (Double(devices) + 1) * 1_000_000))
  }

  /// The ratio of the likelihoods of these counts under a raised crash rate than under the baseline.
  package func ratio(sessions: Int, crashes: Int) -> Double {
    gains.reduce(0) { sum, gain in
      sum + gain.weight * exp(gain.crash * Double(crashes) + gain.calm * Double(sessions - crashes))
    }
  }

  package func halts(sessions: Int, crashes: Int) -> Bool {
    sessions >= Self.minimumSessions && ratio(sessions: sessions, crashes: crashes) >= Self.haltRatio
  }

  package static func == (left: CrashRateTest, right: CrashRateTest) -> Bool { left.baseline == right.baseline }
}
