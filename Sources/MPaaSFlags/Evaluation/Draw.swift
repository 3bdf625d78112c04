import MPaaSLock

/// The chance of one evaluation: drawn when first asked for, and the same for a flag and its parents.
struct Draw {
  private var drawn: UInt64?

  /// The count that all draws go on from; a draw is what SplitMix64 makes of it.
  private static let count = AtomicInteger(Int.random(in: Int.min...Int.max))

  /// Creates a draw that is not made yet, or one that is known, as explanations and tests need it.
  init(_ drawn: UInt64? = nil) { self.drawn = drawn }

  /// The bits of the draw.
  ///
  /// - Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
  mutating func bits() -> UInt64 {
    if let drawn { return drawn }
    var value = UInt64(bitPattern: Int64(Self.count.add(Int(truncatingIfNeeded: 0x9e37_79b9_7f4a_7c15 as UInt64))))
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    value ^= value >> 31
    drawn = value
    return value
  }

  /// A number from 1 to 100.
  mutating func percent() -> UInt32 { UInt32(bits() % 100) + 1 }

  /// A number from 1 to `sum`, which is not 0.
  mutating func share(of sum: UInt32) -> UInt32 { UInt32((bits() >> 32) % UInt64(sum)) + 1 }

  /// A number from 0 to 9,999, which stands for somebody without a name.
  mutating func identifier() -> UInt32 { UInt32((bits() >> 16) % 10_000) }
}
