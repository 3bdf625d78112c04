import MPaaSLogs

/// A nondeterministic automaton over bytes, as Thompson's construction makes it of an expression.
///
/// - Source: K. Thompson, "Regular Expression Search Algorithm", CACM 11 (1968).
struct ByteAutomaton {
  enum State {
    /// Goes on with a byte of the set.
    case byte(set: Int, next: Int)
    case both(Int, Int)
    case lineStart(Int)
    case lineEnd(Int)
    /// Goes on where a word begins or ends, or where it does not.
    case boundary(Bool, Int)
    case match
  }

  private(set) var states: [State] = []
  /// Four words of bits each.
  private(set) var sets: [ByteSet] = []
  private(set) var start = 0

  private static let mostStates = 8_000

  private struct TooLarge: Error {}

  /// Tells whether a match may have a line feed in it.
  var hasLineFeed: Bool { sets.contains { $0.contains(0x0a) } }

  /// - Returns: nil where it would have too many states.
  init?(_ expression: Expression) {
    let match = add(.match)
    guard let first = try? build(expression.node, match) else { return nil }
    start = first
  }

  @discardableResult
  private mutating func add(_ state: State) -> Int {
    states.append(state)
    return states.count - 1
  }

  private mutating func byte(_ set: ByteSet, _ next: Int) -> Int {
    let index = sets.firstIndex(of: set) ?? sets.count
    if index == sets.count { sets.append(set) }
    return add(.byte(set: index, next: next))
  }

  /// Builds a node in front of a state.
  private mutating func build(_ node: Expression.Node, _ next: Int) throws(TooLarge) -> Int {
    guard states.count < Self.mostStates else { throw TooLarge() }
    switch node {
    case .empty: return next
    case .lineStart: return add(.lineStart(next))
    case .lineEnd: return add(.lineEnd(next))
    case .boundary(let isThere): return add(.boundary(isThere, next))
    case .anything: return try repeated(.scalar(.all), 0, nil, next)
    case .scalar(let set): return scalar(set, next)
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
    }
  }

  private mutating func repeated(
    _ node: Expression.Node, _ least: Int, _ most: Int?, _ next: Int
  ) throws(TooLarge) -> Int {
    guard least <= Self.mostStates, (most ?? 0) <= Self.mostStates else { throw TooLarge() }
    var start = next
    if let most {
      for _ in least..<max(most, least) { start = add(.both(try build(node, start), next)) }
    } else {
      // The loop's own state stands before what it leads to.
      let loop = add(.both(next, next))
      states[loop] = .both(try build(node, loop), next)
      start = loop
    }
    for _ in 0..<least { start = try build(node, start) }
    return start
  }

  private mutating func scalar(_ set: ScalarSet, _ next: Int) -> Int {
    var ascii = ByteSet()
    for byte in UInt8(0)..<128 where set.contains(byte) { ascii.insert(byte) }
    var starts = ascii.isEmpty ? [] : [byte(ascii, next)]
    switch set.others {
    case .none: break
    case .some(let scalars):
      for scalar in scalars {
        var state = next
        for unit in String(scalar).utf8.reversed() { state = byte(ByteSet([unit]), state) }
        starts.append(state)
      }
    case .any:
      // One to four bytes: what is no UTF-8 is one scalar for the engine, of as many.
      var state = next
      for _ in 0..<3 { state = add(.both(byte(ByteSet(0x80...0xbf), state), next)) }
      starts.append(byte(ByteSet(0x80...0xff), state))
    }
    // A set of nothing leads nowhere.
    guard var first = starts.popLast() else { return byte(ByteSet(), next) }
    while let other = starts.popLast() { first = add(.both(other, first)) }
    return first
  }
}

/// A set of bytes.
struct ByteSet: Hashable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  init() {}
  init(_ bytes: some Sequence<UInt8>) { for byte in bytes { insert(byte) } }

  var isEmpty: Bool { words == (0, 0, 0, 0) }

  func contains(_ byte: UInt8) -> Bool {
    let bit = UInt64(1) << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: return words.0 & bit != 0
    case 1: return words.1 & bit != 0
    case 2: return words.2 & bit != 0
    default: return words.3 & bit != 0
    }
  }

  mutating func insert(_ byte: UInt8) {
    let bit = UInt64(1) << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: words.0 |= bit
    case 1: words.1 |= bit
    case 2: words.2 |= bit
    default: words.3 |= bit
    }
  }

  static func == (one: ByteSet, other: ByteSet) -> Bool { one.words == other.words }

  func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
    hasher.combine(words.2)
    hasher.combine(words.3)
  }
}
