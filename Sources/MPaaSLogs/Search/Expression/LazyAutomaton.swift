import CLogScan

/// A deterministic automaton whose states are made as text asks for them.
///
/// It finds where in a text the first match ends. A state is the set of states of the nondeterministic automaton that a
/// text may have led to; a match may begin anywhere. One thread uses it.
/// - Source: R. Cox, "Regular Expression Matching in the Wild" (2010), on the DFA that is built on the fly.
final class LazyAutomaton {
  private let automaton: ByteAutomaton
  /// 256 entries a state: the place of the next state's entries, 0 where it is not made yet, -1 for a match.
  private var table: UnsafeMutableBufferPointer<Int32>
  private var members: [[Int32]] = []
  private var numbers: [[Int32]: Int32] = [:]
  /// The state before a text.
  private var first: Int32 = 0
  /// Whether every text matches.
  private(set) var matchesEmpty = false

  // While a set of states is gathered.
  private var seen: [UInt32]
  private var round: UInt32 = 0
  private var gathered: [Int32] = []

  /// The states that are kept: more of them are made anew, from where the text is.
  private static let mostStates = 4_000
  private static let width: Int32 = 256

  init(_ automaton: ByteAutomaton) {
    self.automaton = automaton
    seen = Array(repeating: 0, count: automaton.states.count)
    table = .allocate(capacity: 64 * Int(Self.width))
    clear()
  }

  deinit { table.deallocate() }

  /// The byte at which a match ends that begins at `start` or behind it, the first one; nil where there is none.
  ///
  /// The text before `start` is taken to end with a line.
  func place(in text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    if matchesEmpty { return start < text.count ? start : nil }
    guard start < text.count, let base = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
    var place = start
    var state = first
    while true {
      state = mp_log_run(table.baseAddress, state, base, text.count, &place)
      guard place < text.count else { break }
      // The byte at `place` leads to a match, or to what is not made yet.
      if table[Int(state) + Int(base[place])] == Self.match { return place }
      switch step(state, base[place]) {
      case Self.match: return place
      case let next:
        state = next
        place += 1
      }
    }
    return isMatchAtEnd(state) ? text.count - 1 : nil
  }

  /// Whether a text has a match in it.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool {
    if text.isEmpty { return matchesEmpty || isMatchAtEnd(first) }
    return place(in: text, from: 0) != nil
  }

  // MARK: - States

  private static let match: Int32 = -1

  private func clear() {
    numbers = [:]
    members = []
    // No state has the place 0, which stands for one that is not made.
    members.append([])
    begin()
    matchesEmpty = follow(Int32(automaton.start), isLineStart: true, isLineEnd: false)
    first = matchesEmpty ? 0 : number(of: gathered)
  }

  /// The state that a byte leads to, which is made and noted.
  private func step(_ state: Int32, _ byte: UInt8) -> Int32 {
    if members.count > Self.mostStates {
      // From the set of states at hand it goes on.
      let here = members[Int(state / Self.width)]
      clear()
      return step(number(of: here), byte)
    }
    let next = reach(members[Int(state / Self.width)], byte)
    table[Int(state) + Int(byte)] = next
    return next
  }

  private func reach(_ states: [Int32], _ byte: UInt8) -> Int32 {
    var states = states
    if Self.endsLine(byte) {
      begin()
      for state in states where follow(state, isLineStart: false, isLineEnd: true) { return Self.match }
      states = gathered
    }
    begin()
    for state in states {
      guard case .byte(let set, let next) = automaton.states[Int(state)], automaton.sets[set].contains(byte) else {
        continue
      }
      if follow(Int32(next), isLineStart: Self.beginsLine(byte), isLineEnd: false) { return Self.match }
    }
    if follow(Int32(automaton.start), isLineStart: Self.beginsLine(byte), isLineEnd: false) { return Self.match }
    return number(of: gathered)
  }

  private func isMatchAtEnd(_ state: Int32) -> Bool {
    begin()
    for state in members[Int(state / Self.width)] where follow(state, isLineStart: false, isLineEnd: true) {
      return true
    }
    return false
  }

  /// Whether a line may end before a byte: with those of ASCII, or with U+0085, U+2028 or U+2029, which begin so.
  private static func endsLine(_ byte: UInt8) -> Bool { (10...13).contains(byte) || byte == 0xc2 || byte == 0xe2 }

  /// Whether a line may begin behind a byte, which may be the last of such a scalar.
  private static func beginsLine(_ byte: UInt8) -> Bool {
    (10...13).contains(byte) || byte == 0x85 || byte == 0xa8 || byte == 0xa9
  }

  private func begin() {
    round &+= 1
    gathered.removeAll(keepingCapacity: true)
  }

  /// Gathers the states that a state leads to without a byte.
  ///
  /// - Returns: Whether a match is among them.
  private func follow(_ state: Int32, isLineStart: Bool, isLineEnd: Bool) -> Bool {
    var open = [state]
    while let state = open.popLast() {
      guard seen[Int(state)] != round else { continue }
      seen[Int(state)] = round
      switch automaton.states[Int(state)] {
      case .match: return true
      case .byte: gathered.append(state)
      case .both(let one, let other):
        open.append(Int32(other))
        open.append(Int32(one))
      case .lineStart(let next): if isLineStart { open.append(Int32(next)) }
      case .lineEnd(let next):
        if isLineEnd { open.append(Int32(next)) } else { gathered.append(state) }
      }
    }
    return false
  }

  /// The place of the entries of a set of states.
  private func number(of states: [Int32]) -> Int32 {
    let key = states.sorted()
    if let known = numbers[key] { return known }
    let place = Int32(members.count) * Self.width
    members.append(key)
    numbers[key] = place
    let end = Int(place) + Int(Self.width)
    if table.count < end {
      let larger = UnsafeMutableBufferPointer<Int32>.allocate(capacity: max(end, table.count * 2))
      _ = larger.moveInitialize(fromContentsOf: UnsafeMutableBufferPointer(rebasing: table[..<Int(place)]))
      table.deallocate()
      table = larger
    }
    for entry in Int(place)..<end { table[entry] = 0 }
    return place
  }
}
