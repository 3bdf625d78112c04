/// The least generator of random numbers: one word of state, each state another number.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private static let step: UInt64 = 0x9e37_79b9_7f4a_7c15
  private var state: UInt64

  package init(_ state: UInt64) { self.state = state }

  /// - Parameter seed: nil takes one of the system.
  package init(seed: UInt64?) { self.init(seed ?? UInt64.random(in: .min ... .max)) }

  package mutating func next() -> UInt64 {
    defer { state &+= Self.step }
    return Self.mixed(state)
  }

  /// The number behind a state: every bit of the input touches every bit of the output.
  package static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value &+ step
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }

  /// The number at a place of the sequence that begins with `seed`.
  package static func number(at place: UInt64, from seed: UInt64) -> UInt64 { mixed(seed &+ place &* step) }
}
