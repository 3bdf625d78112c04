import MPaaSRandom

/// Numbers that look random and are the same for the same seed: xoshiro256**, begun by SplitMix64.
///
/// Source: D. Blackman, S. Vigna, "Scrambled Linear Pseudorandom Number Generators", 2018.
package struct LinkRandom: RandomNumberGenerator, Sendable {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  package init(seed: UInt64) {
    var numbers = SplitMix64(seed)
    state = (numbers.next(), numbers.next(), numbers.next(), numbers.next())
  }

  package mutating func next() -> UInt64 {
    let product = state.1 &* 5
    let result = (product << 7 | product >> 57) &* 9
    let shifted = state.1 << 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = state.3 << 45 | state.3 >> 19
    return result
  }

  /// A number from 0 up to and without 1, with 53 bits.
  package mutating func share() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number between 0 and 1 that is neither.
  package mutating func openShare() -> Double { (Double(next() >> 11) + 0.5) * 0x1p-53 }

  /// Tells whether something of this probability happens; 0 never, 1 always.
  package mutating func happens(_ probability: Double) -> Bool {
    probability > 0 && (probability >= 1 || share() < probability)
  }

  /// A whole number from 0 up to and without `end`, which is above 0.
  package mutating func below(_ end: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(max(1, end))).high) }

  /// One seed of several numbers, each of which changes all of it.
  package static func seed(_ numbers: UInt64...) -> UInt64 {
    var seed: UInt64 = 0
    for number in numbers {
      seed = SplitMix64.mixed(seed ^ number)
    }
    return seed
  }

  /// A number for a name: FNV-1a of its UTF-8.
  package static func number(of name: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
