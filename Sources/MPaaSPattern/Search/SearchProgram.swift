/// The steps of an expression in the order in which matches are preferred, with those that note where groups are.
///
/// - Source: R. Cox, "Regular Expression Matching: the Virtual Machine Approach" (2009), for the steps that save places.
struct SearchProgram {
  enum Step {
    /// A scalar of a set, by its number, and the step behind it.
    case scalar(Int, Int)
    /// Two ways, the better one first.
    case both(Int, Int)
    case assertion(PatternNode.Assertion, Int)
    /// Notes the place as the start or the end of a group.
    case save(Int, Int)
    case match
  }

  private(set) var steps: [Step] = []
  private(set) var sets: [ScalarSet] = []
  private(set) var hasAssertions = false
  let start: Int
  private var known: [ScalarSet: Int] = [:]

  static let mostSteps = 20_000

  init(_ node: PatternNode) throws(PatternError) {
    start = 0
    // The first step is known last, and takes the place of this one.
    steps = [.match]
    let match = try Self.added(.match, to: &steps)
    let end = try Self.added(.save(1, match), to: &steps)
    let first = try build(node, end)
    steps[0] = .save(0, first)
  }

  private static func added(_ step: Step, to steps: inout [Step]) throws(PatternError) -> Int {
    guard steps.count < mostSteps else { throw PatternError(.tooLarge, at: 0) }
    steps.append(step)
    return steps.count - 1
  }

  private mutating func add(_ step: Step) throws(PatternError) -> Int { try Self.added(step, to: &steps) }

  /// Builds a node in front of a step.
  private mutating func build(_ node: PatternNode, _ next: Int, isLazy: Bool = false) throws(PatternError) -> Int {
    switch node {
    case .empty: return next
    case .assertion(let assertion):
      hasAssertions = true
      return try add(.assertion(assertion, next))
    case .scalar(let set):
      let number = known[set] ?? sets.count
      if number == sets.count {
        sets.append(set)
        known[set] = number
      }
      return try add(.scalar(number, next))
    case .group(let inner, let number):
      let end = try add(.save(2 * number + 1, next))
      return try add(.save(2 * number, try build(inner, end)))
    case .lazy(let inner): return try build(inner, next, isLazy: true)
    case .sequence(let nodes):
      var next = next
      for node in nodes.reversed() { next = try build(node, next) }
      return next
    case .choice(let nodes):
      var first: Int?
      for node in nodes.reversed() {
        let start = try build(node, next)
        first = try first.map { (first) throws(PatternError) in try add(.both(start, first)) } ?? start
      }
      return first ?? next
    case .repeated(let inner, let least, let most): return try repeated(inner, least, most, next, isLazy)
    }
  }

  private mutating func repeated(
    _ node: PatternNode, _ least: Int, _ most: Int?, _ next: Int, _ isLazy: Bool
  ) throws(PatternError) -> Int {
    func either(_ more: Int, _ enough: Int) -> Step { isLazy ? .both(enough, more) : .both(more, enough) }
    var (start, left) = (next, least)
    if let most {
      for _ in least..<max(most, least) { start = try add(either(try build(node, start), next)) }
    } else {
      let loop = try add(.both(next, next))
      let body = try build(node, loop)
      steps[loop] = either(body, next)
      // What may be empty is entered by a step of its own, so that an empty turn goes on behind the loop.
      start = least > 0 ? body : node.isNullable ? try add(either(body, next)) : loop
      left = max(least - 1, 0)
    }
    for _ in 0..<left { start = try build(node, start) }
    return start
  }
}

extension PatternNode {
  /// The most scalars of a match; nil where there is no end.
  var longest: Int? {
    switch self {
    case .empty, .assertion: return 0
    case .scalar: return 1
    case .group(let inner, _), .lazy(let inner): return inner.longest
    case .sequence(let nodes):
      return nodes.reduce(Int?.some(0)) { sum, node in
        guard let sum, let longest = node.longest else { return nil }
        return sum + longest
      }
    case .choice(let nodes):
      return nodes.reduce(Int?.some(0)) { most, node in
        guard let most, let longest = node.longest else { return nil }
        return max(most, longest)
      }
    case .repeated(let inner, _, let most):
      guard let most, let longest = inner.longest else { return inner.longest == 0 ? 0 : nil }
      return most * longest
    }
  }
}
