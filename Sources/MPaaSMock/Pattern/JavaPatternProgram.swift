/// A regular expression as steps of a machine that goes back where it failed.
struct JavaPatternProgram: Sendable {
  enum Step: Sendable {
    case scalar(UInt32)
    case scalarAnyCase(UInt32, UInt32)
    case set(Int, ignoresCase: Bool)
    case any(matchesLineEnds: Bool)
    case assertion(JavaAssertion)
    /// Goes on at the first, and at the second if that fails.
    case split(Int, Int)
    case jump(Int)
    /// Notes the place in a slot.
    case save(Int)
    /// Fails where nothing was taken since the slot was noted.
    case progress(Int)
    case backReference(Int, ignoresCase: Bool)
    /// Tries the steps behind it up to `end`, which ends with `matched`.
    case look(isAhead: Bool, isNegative: Bool, least: Int, most: Int, end: Int)
    case atomic(end: Int)
    case matched
  }

  /// The most steps of a program.
  static let longest = 50_000

  private(set) var steps: [Step] = []
  private(set) var sets: [JavaScalarSet] = []
  private(set) var slots: Int

  init(_ node: JavaPatternNode, groups: Int) throws(JavaPatternError) {
    slots = (groups + 1) * 2
    steps.append(.save(0))
    try add(node)
    steps.append(.save(1))
    steps.append(.matched)
  }

  private mutating func append(_ step: Step) throws(JavaPatternError) {
    guard steps.count < Self.longest else { throw JavaPatternError(reason: "the expression is too large", offset: 0) }
    steps.append(step)
  }

  private mutating func add(_ node: JavaPatternNode) throws(JavaPatternError) {
    switch node {
    case .empty: break
    case .scalar(let scalar, let ignoresCase):
      let other = scalar.otherCase
      try append(ignoresCase && other != scalar ? .scalarAnyCase(scalar, other) : .scalar(scalar))
    case .set(let set, let ignoresCase):
      sets.append(set)
      try append(.set(sets.count - 1, ignoresCase: ignoresCase))
    case .any(let matchesLineEnds): try append(.any(matchesLineEnds: matchesLineEnds))
    case .assertion(let assertion): try append(.assertion(assertion))
    case .sequence(let nodes): for node in nodes { try add(node) }
    case .alternatives(let nodes): try add(alternatives: nodes)
    case .group(let node, let number):
      try append(.save(number * 2))
      try add(node)
      try append(.save(number * 2 + 1))
    case .repetition(let node, let least, let most, let mode):
      if mode == .possessive {
        try add(.atomic(.repetition(node, least: least, most: most, .greedy)))
      } else {
        try add(node, least, most, isLazy: mode == .lazy)
      }
    case .backReference(let number, let ignoresCase): try append(.backReference(number, ignoresCase: ignoresCase))
    case .look(let node, let isAhead, let isNegative):
      let widths = node.widths
      try enclosed(node) {
        .look(isAhead: isAhead, isNegative: isNegative, least: widths.least, most: widths.most ?? 0, end: $0)
      }
    case .atomic(let node): try enclosed(node) { .atomic(end: $0) }
    }
  }

  private mutating func enclosed(_ node: JavaPatternNode, _ step: (Int) -> Step) throws(JavaPatternError) {
    let place = steps.count
    try append(.matched)
    try add(node)
    try append(.matched)
    steps[place] = step(steps.count)
  }

  private mutating func add(alternatives nodes: [JavaPatternNode]) throws(JavaPatternError) {
    var jumps: [Int] = []
    for (index, node) in nodes.enumerated() {
      let split = steps.count
      let isLast = index == nodes.count - 1
      if !isLast { try append(.matched) }
      try add(node)
      guard !isLast else { break }
      jumps.append(steps.count)
      try append(.matched)
      steps[split] = .split(split + 1, steps.count)
    }
    for jump in jumps { steps[jump] = .jump(steps.count) }
  }

  private mutating func add(
    _ node: JavaPatternNode, _ least: Int, _ most: Int?, isLazy: Bool
  ) throws(JavaPatternError) {
    for _ in 0..<least { try add(node) }
    guard let most else { return try addLoop(node, isLazy: isLazy) }
    var splits: [Int] = []
    for _ in 0..<(most - least) {
      splits.append(steps.count)
      try append(.matched)
      try add(node)
    }
    for split in splits { steps[split] = isLazy ? .split(steps.count, split + 1) : .split(split + 1, steps.count) }
  }

  private mutating func addLoop(_ node: JavaPatternNode, isLazy: Bool) throws(JavaPatternError) {
    let split = steps.count
    try append(.matched)
    let mayBeEmpty = node.widths.least == 0
    let slot = slots
    if mayBeEmpty {
      slots += 1
      try append(.save(slot))
    }
    try add(node)
    if mayBeEmpty { try append(.progress(slot)) }
    try append(.jump(split))
    steps[split] = isLazy ? .split(steps.count, split + 1) : .split(split + 1, steps.count)
  }
}
