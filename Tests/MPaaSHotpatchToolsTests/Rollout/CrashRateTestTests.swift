import Foundation
import MPaaSHotpatch
import MPaaSTestSupport
import Testing

@testable import MPaaSHotpatchTools
@testable import MPaaSProtocol

@Suite("The automatic halt") struct CrashRateTestTests {
  static let rounds = 10_000

  /// Sessions until the halt when `rate` of the sessions crash; nil where it does not come within `limit`.
  ///
  /// Only sessions that crash raise the ratio, so it goes from crash to crash by geometric gaps.
  static func sessionsUntilHalt(
    _ test: CrashRateTest, rate: Double, limit: Int, using random: inout SeededRandom
  ) -> Int? {
    var sessions = 0
    var crashes = 0
    let scale = log(1 - rate)
    while true {
      let uniform = (Double(random.next() >> 11) + 1) / 9_007_199_254_740_992
      let next = sessions + 1 + Int(log(uniform) / scale)
      let minimum = CrashRateTest.minimumSessions
      if sessions < minimum, next > minimum, test.halts(sessions: minimum, crashes: crashes) { return minimum }
      guard next <= limit else { return nil }
      sessions = next
      crashes += 1
      if test.halts(sessions: sessions, crashes: crashes) { return sessions }
    }
  }

  static func median(of rate: Double, baseline: Double, seed: UInt64) -> Int {
    var random = SeededRandom(seed: seed)
    let test = CrashRateTest(baseline: baseline)
    let sessions = (0..<rounds).map { _ in
      sessionsUntilHalt(test, rate: rate, limit: 20_000, using: &random) ?? .max
    }
    return sessions.sorted()[rounds / 2]
  }

  @Test("halts at most 2 % of 10,000 good rollouts of 20,000 sessions, looked at after every session")
  func falseHalts() {
    var random = SeededRandom(seed: 1)
    let test = CrashRateTest(baseline: 0.002)
    let halted = (0..<Self.rounds).count { _ in
      Self.sessionsUntilHalt(test, rate: 0.002, limit: 20_000, using: &random) != nil
    }
    #expect(halted <= Self.rounds / 50, "\(halted) of \(Self.rounds) good rollouts were halted")
    // The bound of Ville's inequality is 1 %; far fewer would mean that the test sees nothing.
    #expect(halted > 0)
  }

  @Test("sees 0.2 % become 0.6 % within a median of 1,600 sessions")
  func threefold() {
    let median = Self.median(of: 0.006, baseline: 0.002, seed: 2)
    #expect(median <= 1_600, "median \(median)")
  }

  @Test("sees 0.2 % become 2 % within a median of 200 sessions")
  func tenfold() {
    let median = Self.median(of: 0.02, baseline: 0.002, seed: 3)
    #expect(median <= 200, "median \(median)")
  }

  /// The median without chance: the distribution of the number of crashes after each session, halted ones taken out.
  static func exactMedian(of rate: Double, baseline: Double) -> Int {
    let test = CrashRateTest(baseline: baseline)
    var alive = [1.0]
    var halted = 0.0
    for sessions in 1...4_000 {
      alive.append(0)
      for crashes in stride(from: alive.count - 1, through: 1, by: -1) {
        alive[crashes] = alive[crashes] * (1 - rate) + alive[crashes - 1] * rate
      }
      alive[0] *= 1 - rate
      while let last = alive.last, test.halts(sessions: sessions, crashes: alive.count - 1) {
        halted += last
        alive.removeLast()
      }
      if halted >= 0.5 { return sessions }
      if alive.count > 60 { alive.removeLast() }
    }
    return .max
  }

  @Test("the medians computed without chance are within the bounds too")
  func exact() {
    #expect(Self.exactMedian(of: 0.006, baseline: 0.002) <= 1_580)
    #expect(Self.exactMedian(of: 0.02, baseline: 0.002) <= 195)
  }

  @Test("never halts before 50 sessions, halts at once at the fiftieth when all crashed, and takes a baseline of 0")
  func edges() {
    let test = CrashRateTest(baseline: 0.002)
    #expect(!test.halts(sessions: 49, crashes: 49))
    #expect(test.halts(sessions: 50, crashes: 50))
    #expect(!test.halts(sessions: 50, crashes: 0))
    #expect(!CrashRateTest(baseline: 0).halts(sessions: 1_000_000, crashes: 10))
    #expect(CrashRateTest(baseline: 0).halts(sessions: 1_000, crashes: 10))
    #expect(abs(CrashRateTest(baseline: 0.3).ratio(sessions: 0, crashes: 0) - 1) < 1e-9)
  }
}
