import MPaaSTestSupport
import Testing

@testable import MPaaSHotpatch

@Suite("Buckets of a rollout") struct RolloutBucketTests {
  @Test("are the first eight bytes of SHA-256 over domain, salt and id, modulo 10,000")
  func knownValues() {
    // printf 'mpaas-rollout/1\0salt\0user-1' | sha256sum, first 16 digits, modulo 10000.
    #expect(RolloutBucket.of("user-1", salt: "salt") == 1555)
    #expect(RolloutBucket.of("用户", salt: "9f") == 6005)
    #expect(RolloutBucket.of("", salt: "") == 2402)
  }

  /// The buckets of a million users under four salts are counted once for all tests.
  static let counted: (chiSquares: [Double], overlap: Double, share: Double) = {
    let users = 1_000_000
    var counts = [Int](repeating: 0, count: 100)
    var both = 0
    var first = 0
    for user in 0..<users {
      let bucket = RolloutBucket.of("user-\(user)", salt: "c0ffee")
      counts[bucket / 100] += 1
      if bucket < 2500 {
        first += 1
        if RolloutBucket.of("user-\(user)", salt: "decaf") < 2500 { both += 1 }
      }
    }
    let expected = Double(users) / 100
    let chiSquare = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    return ([chiSquare], Double(both) / Double(first), Double(first) / Double(users))
  }()

  @Test("are equally full: chi-square of 100 buckets over a million users stays below the 0.1 % limit")
  func chiSquare() {
    for value in Self.counted.chiSquares { #expect(value < 148.2) }
    #expect(abs(Self.counted.share - 0.25) < 0.002)
  }

  @Test("are independent between patches: of one patch's 25 % the next one's 25 % takes 25 ± 1 %")
  func overlap() {
    #expect(abs(Self.counted.overlap - 0.25) < 0.01)
  }

  @Test("a growing percentage only adds users")
  func growth() {
    for user in 0..<20_000 {
      let bucket = RolloutBucket.of("user-\(user)", salt: "s")
      #expect((0..<10_000).contains(bucket))
      var wasIn = false
      for limit in [1, 100, 1_000, 2_500, 5_000, 10_000] {
        if wasIn, bucket >= limit { Issue.record("user-\(user) fell out at \(limit)") }
        wasIn = bucket < limit
      }
      if !wasIn { Issue.record("user-\(user) is not in 100 %") }
    }
  }
}
