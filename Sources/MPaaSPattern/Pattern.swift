/// A regular expression of RE2's language, which tells in time linear in a text whether it is found there.
///
/// The expression becomes an automaton over Unicode scalars. Where a deterministic one is small, it is made as a whole
/// when the pattern is read; else sets of its positions are followed, a word of 64 at a time. Either looks at each scalar
/// once, and a match allocates nothing. Limits keep the work for a scalar below 1,024 steps.
///
/// - Source: RE2's syntax, https://github.com/google/re2/wiki/Syntax. V. Glushkov, "The abstract theory of automata",
///   Russian Mathematical Surveys 16 (1961), for the positions; G. Navarro, M. Raffinot, "Flexible Pattern Matching in
///   Strings" (2002), chapter 5, for sets of them as words.
package struct Pattern: Sendable {
  /// The most bytes of an expression.
  package static let longest = 1024

  /// The expression as it was written.
  package let text: String
  private let positions: PositionAutomaton
  private let states: StateTable?

  /// Reads an expression.
  ///
  /// - Parameters:
  ///   - ignoresCase: Whether it begins as if `(?i)` stood there.
  ///   - budget: The steps that are left for tables of states; what is needed is taken from it.
  /// - Throws: `PatternError` with the offset of what cannot be there.
  package init(
    _ text: String, ignoresCase: Bool = false, budget: inout Int
  ) throws(PatternError) {
    guard text.utf8.count <= Self.longest else { throw PatternError(.tooLong, at: Self.longest) }
    var parser = PatternParser(text, ignoresCase: ignoresCase)
    let node = try parser.parse()
    self.text = text
    positions = try PositionAutomaton(node, budget: &budget)
    states = StateTable(positions, budget: &budget)
    guard states != nil || positions.stepsPerScalar <= PositionAutomaton.mostSteps else {
      throw PatternError(.tooLarge, at: 0)
    }
  }

  /// Reads an expression, with the steps of a single one for its table of states.
  ///
  /// - Throws: `PatternError` with the offset of what cannot be there.
  package init(_ text: String, ignoresCase: Bool = false) throws(PatternError) {
    var budget = StateTable.usualBudget
    try self.init(text, ignoresCase: ignoresCase, budget: &budget)
  }

  /// Tells whether the expression is found anywhere in a text of UTF-8.
  package func matches(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var steps = 0
    return matches(bytes, steps: &steps)
  }

  /// Tells whether the expression is found anywhere in a text.
  package func matches(_ text: String) -> Bool {
    if let found = text.utf8.withContiguousStorageIfAvailable({ matches($0) }) { return found }
    var copy = text
    return copy.withUTF8 { matches($0) }
  }

  /// Tells whether the expression is found anywhere in a text of UTF-8.
  ///
  /// - Parameter steps: Gets the steps that it took, each a look into a table or at a word of positions.
  package func matches(_ bytes: UnsafeBufferPointer<UInt8>, steps: inout Int) -> Bool {
    states?.matches(bytes, positions.alphabet, steps: &steps) ?? positions.matches(bytes, steps: &steps)
  }
}
