/// An automaton whose states are the positions of scalars in an expression, and which is in any number of them at once.
///
/// Position 0 is the start, where a search always is; the last one is the match.
struct PositionAutomaton: Sendable {
  /// The most steps for a scalar.
  static let mostSteps = 1_024

  let alphabet: Alphabet
  let surroundings: Surroundings
  /// Words of 64 positions.
  let words: Int
  private let match: Int
  /// For each class, the positions that take it.
  private let accepted: [UInt64]
  private let follows: [PositionFollow]

  /// Makes the automaton of an expression.
  ///
  /// - Throws: `PatternError` `tooLarge`.
  init(_ node: PatternNode, budget: inout Int) throws(PatternError) {
    let program = try PatternProgram(node)
    surroundings = Surroundings(program.assertions)
    var members: [UInt32] = []
    alphabet = Alphabet(program.sets, hasAssertions: program.assertions != 0, members: &members)
    match = program.positionCount + 1
    words = match / 64 + 1
    accepted = Self.accepted(program, members, words)
    budget -= members.count * (program.sets.count + program.positionCount)
    var follows: [PositionFollow] = []
    for bits in surroundings.kinds { follows.append(try PositionFollow(program, bits, words, &budget)) }
    self.follows = follows
  }

  /// The most steps that a scalar takes.
  var stepsPerScalar: Int { follows.map(\.steps).max() ?? 0 }

  private static func accepted(_ program: PatternProgram, _ members: [UInt32], _ words: Int) -> [UInt64] {
    var accepted = [UInt64](repeating: 0, count: members.count * words)
    for (number, scalar) in members.enumerated() {
      let holds = program.sets.map { $0.contains(scalar) }
      for position in 0..<program.positionCount where holds[program.setNumbers[position + 1]] {
        accepted[number * words + (position + 1) / 64] |= 1 << UInt64((position + 1) % 64)
      }
    }
    return accepted
  }

  // MARK: - Steps

  /// Goes from positions to those that follow them in places of a kind.
  ///
  /// - Returns: Whether the match is among them.
  @inline(__always)
  func advance(_ from: UnsafePointer<UInt64>, _ reached: UnsafeMutablePointer<UInt64>, kind: Int) -> Bool {
    follows.withUnsafeBufferPointer { $0[kind].advance(from, reached, words: words) }
    return reached[match / 64] >> UInt64(match % 64) & 1 == 1
  }

  /// Keeps the positions that take a scalar of a class, and the start.
  @inline(__always)
  func keep(_ reached: UnsafeMutablePointer<UInt64>, taking number: Int) {
    for word in 0..<words { reached[word] &= accepted[number * words + word] }
    reached[0] |= 1
  }

  /// Tells whether the expression is found in a text of UTF-8.
  func matches(_ bytes: UnsafeBufferPointer<UInt8>, steps: inout Int) -> Bool {
    let cost = stepsPerScalar
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2 * words) { memory in
      guard let base = memory.baseAddress else { return false }
      memory.initialize(repeating: 0)
      var (from, reached) = (base, base + words)
      from[0] = 1
      var (place, before) = (0, Surroundings.Side.edge.rawValue)
      while place < bytes.count {
        let number = alphabet.classify(bytes, &place)
        let behind = Int(alphabet.sides[number])
        steps += cost
        if advance(from, reached, kind: surroundings.kind(before, behind)) { return true }
        keep(reached, taking: number)
        swap(&from, &reached)
        before = behind
      }
      steps += cost
      return advance(from, reached, kind: surroundings.kind(before, Surroundings.Side.edge.rawValue))
    }
  }
}
