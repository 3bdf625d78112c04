import Foundation

/// Numbers that look random and are the same in every run (SplitMix64), so that a failure can be repeated.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a row of numbers that is the same for the same seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// Returns the next number of the row.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }

  /// The number of rounds that a fuzz test runs: `MPAAS_FUZZ_ROUNDS`, else what keeps the suite short.
  public static func rounds(or usual: Int) -> Int {
    ProcessInfo.processInfo.environment["MPAAS_FUZZ_ROUNDS"].flatMap(Int.init) ?? usual
  }
}
