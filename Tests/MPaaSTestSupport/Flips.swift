/// Bits that a test flips.
package enum Flips {
  /// The bits of a byte that a test flips: one of them, another one for each byte; all where fuzzing was asked for.
  package static func bits(of place: Int) -> Range<Int> {
    SeededRandom.rounds(or: 0) > 0 ? 0..<8 : place % 8..<place % 8 + 1
  }
}
