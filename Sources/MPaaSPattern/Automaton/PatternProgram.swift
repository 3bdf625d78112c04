/// The steps between the positions of an expression, as Thompson's construction makes them.
///
/// - Source: K. Thompson, "Regular Expression Search Algorithm", CACM 11 (1968).
struct PatternProgram {
  enum Step {
    /// A scalar of the set of a position.
    case position(Int)
    case both(Int, Int)
    case assertion(PatternNode.Assertion, Int)
    case match
  }

  private(set) var steps: [Step] = []
  /// The sets of scalars that there are.
  private(set) var sets: [ScalarSet] = []
  /// For each position the number of its set; the start is position 0, and has none.
  private(set) var setNumbers: [Int] = []
  /// The steps behind the positions, the start's before all.
  private(set) var behind: [Int] = []
  private var known: [ScalarSet: Int] = [:]

  /// The positions beside the start.
  var positionCount: Int { behind.count - 1 }

  /// The bits of the assertions that the expression has.
  private(set) var assertions: UInt8 = 0

  static let mostPositions = 2_000
  private static let mostSteps = 20_000

  init(_ node: PatternNode) throws(PatternError) {
    let match = add(.match)
    let first = try build(node, match)
    // They were made from the last one on; the usual one that follows another is to be the next one.
    let count = behind.count
    for (number, step) in steps.enumerated() {
      if case .position(let position) = step { steps[number] = .position(count - position) }
    }
    setNumbers = [-1] + setNumbers.reversed()
    behind = [first] + behind.reversed()
  }

  private mutating func add(_ step: Step) -> Int {
    steps.append(step)
    return steps.count - 1
  }

  /// Builds a node in front of a step.
  private mutating func build(_ node: PatternNode, _ next: Int) throws(PatternError) -> Int {
    guard steps.count < Self.mostSteps else { throw PatternError(.tooLarge, at: 0) }
    switch node {
    case .empty: return next
    case .assertion(let assertion):
      assertions |= assertion.bit
      return add(.assertion(assertion, next))
    case .scalar(let set):
      guard behind.count < Self.mostPositions else { throw PatternError(.tooLarge, at: 0) }
      let number = known[set] ?? sets.count
      if number == sets.count {
        sets.append(set)
        known[set] = number
      }
      setNumbers.append(number)
      behind.append(next)
      return add(.position(behind.count - 1))
    case .sequence(let nodes):
      var next = next
      for node in nodes.reversed() { next = try build(node, next) }
      return next
    case .choice(let nodes):
      var first: Int?
      for node in nodes.reversed() {
        let start = try build(node, next)
        first = first.map { add(.both(start, $0)) } ?? start
      }
      return first ?? next
    case .repeated(let inner, let least, let most): return try repeated(inner, least, most, next)
    case .group(let inner, _), .lazy(let inner): return try build(inner, next)
    }
  }

  private mutating func repeated(
    _ node: PatternNode, _ least: Int, _ most: Int?, _ next: Int
  ) throws(PatternError) -> Int {
    var (start, left) = (next, least)
    if let most {
      for _ in least..<max(most, least) { start = add(.both(try build(node, start), next)) }
    } else {
      // The loop's own step stands before what it leads to.
      let loop = add(.both(next, next))
      let body = try build(node, loop)
      steps[loop] = .both(body, next)
      start = least > 0 ? body : loop
      left = max(least - 1, 0)
    }
    for _ in 0..<left { start = try build(node, start) }
    return start
  }
}
