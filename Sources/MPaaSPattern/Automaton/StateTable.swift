/// A deterministic automaton, made as a whole of the sets of positions that texts lead to.
struct StateTable: Sendable {
  /// The steps that one expression may take for it.
  static let usualBudget = 2_000_000
  private static let mostStates = 1_000
  private static let mostEntries = 32_768

  private static let matched = UInt16.max
  /// For each state the ones that classes lead to, and at last whether the end of the text is a match.
  private let next: [UInt16]
  private let width: Int

  /// A set of positions, and the side that the scalar before is.
  private struct Key: Hashable {
    var positions: [UInt64]
    var before: UInt8
  }

  /// - Returns: nil where it would be large, or more steps were taken than are left.
  init?(_ positions: PositionAutomaton, budget: inout Int) {
    let (alphabet, surroundings) = (positions.alphabet, positions.surroundings)
    width = alphabet.count + 1
    var start = [UInt64](repeating: 0, count: positions.words)
    start[0] = 1
    var states = [Key(positions: start, before: 0)]
    var numbers = [states[0]: UInt16(0)]
    var next: [UInt16] = []
    var (reached, index) = (start, 0)
    while index < states.count {
      let state = states[index]
      index += 1
      for number in 0..<alphabet.count {
        budget -= positions.stepsPerScalar + 8
        let side = Int(alphabet.sides[number])
        guard !positions.advance(state.positions, &reached, kind: surroundings.kind(Int(state.before), side)) else {
          next.append(Self.matched)
          continue
        }
        positions.keep(&reached, taking: number)
        let key = Key(positions: reached, before: surroundings.before[side])
        let known = numbers[key] ?? UInt16(states.count)
        if Int(known) == states.count {
          guard states.count < Self.mostStates, states.count * width < Self.mostEntries, budget > 0 else { return nil }
          states.append(key)
          numbers[key] = known
        }
        next.append(known)
      }
      let end = surroundings.kind(Int(state.before), Surroundings.Side.edge.rawValue)
      next.append(positions.advance(state.positions, &reached, kind: end) ? Self.matched : 0)
    }
    self.next = next
  }

  /// Tells whether the expression is found in a text of UTF-8.
  func matches(_ bytes: UnsafeBufferPointer<UInt8>, _ alphabet: Alphabet, steps: inout Int) -> Bool {
    next.withUnsafeBufferPointer { next in
      var (place, state) = (0, 0)
      while place < bytes.count {
        steps += 1
        let found = next[state + alphabet.classify(bytes, &place)]
        if found == Self.matched { return true }
        state = Int(found) * width
      }
      steps += 1
      return next[state + width - 1] == Self.matched
    }
  }
}
