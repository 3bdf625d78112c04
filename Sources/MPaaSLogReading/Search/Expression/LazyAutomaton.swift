import CLogScan
import MPaaSLogs

/// A deterministic automaton whose states are made as text asks for them.
///
/// It finds where in a text the first match ends. A state is the set of states of the nondeterministic automaton that a
/// text may have led to; a match may begin anywhere. One thread uses it.
/// - Source: R. Cox, "Regular Expression Matching in the Wild" (2010), on the DFA that is built on the fly.
final class LazyAutomaton {
  private let automaton: ByteAutomaton
  // One thread uses it: what is read at each place is not looked at for a second one.

  /// 256 entries a state: the place of the next state's entries, 0 where it is not made yet, -1 for a match, -2 for a
  /// state in which no match has begun.
  @exclusivity(unchecked) private var table: UnsafeMutableBufferPointer<Int32>
  private var members: [Members] = []
  private var numbers: [Members: Int32] = [:]
  /// The state before a text.
  @exclusivity(unchecked) private var first: Int32 = 0
  /// Tells whether every text matches.
  private(set) var matchesEmpty = false
  /// Tells whether it stops where no match has begun, so that text is passed over.
  private let skips: Bool
  /// The states in which no match has begun, by the byte before; 0 where one is not made yet.
  @exclusivity(unchecked) private var idle: [Int32] = []

  // While a set of states is gathered.
  private var seen: [UInt32]
  private var round: UInt32 = 0
  private var gathered: [Int32] = []

  /// The states of the nondeterministic automaton that a text may have led to.
  private struct Members: Hashable {
    var states: [Int32]
    /// The place of the text, as far as a state waits for the byte that follows.
    var place = Place.lineStart
  }

  /// The context that the bytes before a place say of it.
  private struct Place: Hashable {
    var isLineStart: Bool
    var byte: ByteKind

    static let lineStart = Place(isLineStart: true, byte: .other)

    /// Behind a byte.
    init(behind byte: UInt8) {
      isLineStart = LazyAutomaton.beginsLine(byte)
      self.byte = ByteKind(byte)
    }

    init(isLineStart: Bool, byte: ByteKind) {
      self.isLineStart = isLineStart
      self.byte = byte
    }
  }

  /// The kinds of bytes in a word.
  private enum ByteKind {
    case word, other
    /// A part of a scalar beyond ASCII, which may be either.
    case unknown

    init(_ byte: UInt8) {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x5f, 0x61...0x7a: self = .word
      case 0x80...: self = .unknown
      default: self = .other
      }
    }
  }

  /// The byte that follows a place.
  private enum Following {
    /// It is not known yet: what asks for it waits.
    case open
    case known(endsLine: Bool, ByteKind)
    static let end = Following.known(endsLine: true, .other)
  }

  /// The states that are kept: more of them are made anew, from where the text is.
  private static let mostStates = 4_000
  private static let width: Int32 = 256

  /// - Parameter skips: Whether places are asked for with the texts that matches have in them.
  init(_ automaton: ByteAutomaton, skips: Bool) {
    self.automaton = automaton
    self.skips = skips
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

  /// The same, where each match has a text in it, at most `lead` bytes behind its beginning: what lies between is
  /// passed over as long as no match has begun.
  ///
  /// - Parameter literal: The place of such a text at or behind one.
  func place(in text: UnsafeRawBufferPointer, from start: Int, lead: Int, literal: (Int) -> Int?) -> Int? {
    guard start < text.count, let base = text.baseAddress?.assumingMemoryBound(to: UInt8.self),
      var ahead = literal(start)
    else { return nil }
    var place = max(start, ahead - lead)
    var state = place == start ? first : idle(behind: base[place - 1])
    while true {
      state = mp_log_run(table.baseAddress, state, base, text.count, &place)
      guard place < text.count else { break }
      var next = table[Int(state) + Int(base[place])]
      if next == 0 { next = step(state, base[place]) }
      if next == Self.match { return place }
      place += 1
      guard next == Self.nothing else {
        state = next
        continue
      }
      if ahead < place {
        guard let found = literal(place) else { return nil }
        ahead = found
        place = max(place, ahead - lead)
      }
      state = idle(behind: base[place - 1])
    }
    return isMatchAtEnd(state) ? text.count - 1 : nil
  }

  /// Tells whether a text without a byte has a match in it.
  var matchesEmptyText: Bool { matchesEmpty || isMatchAtEnd(first) }

  // MARK: - States

  private static let match: Int32 = -1
  private static let nothing: Int32 = -2

  private func clear() {
    numbers = [:]
    members = []
    // No state has the place 0, which stands for one that is not made.
    members.append(Members(states: []))
    begin()
    matchesEmpty = follow(Int32(automaton.start), .lineStart, .open)
    first = matchesEmpty ? 0 : number(of: gathered, .lineStart)
    idle = Array(repeating: 0, count: skips ? 256 : 0)
  }

  /// The state behind a byte in which no match has begun.
  private func idle(behind byte: UInt8) -> Int32 {
    let known = idle[Int(byte)]
    guard known == 0 else { return known }
    begin()
    let place = Place(behind: byte)
    _ = follow(Int32(automaton.start), place, .open)
    let state = number(of: gathered, place)
    idle[Int(byte)] = state
    return state
  }

  /// The state that a byte leads to, which is made and noted.
  private func step(_ state: Int32, _ byte: UInt8) -> Int32 {
    if members.count > Self.mostStates {
      // From the set of states at hand it goes on.
      let here = members[Int(state / Self.width)]
      clear()
      return step(number(of: here.states, here.place), byte)
    }
    var next = reach(members[Int(state / Self.width)], byte)
    if skips, next == idle(behind: byte) { next = Self.nothing }
    table[Int(state) + Int(byte)] = next
    return next
  }

  private func reach(_ members: Members, _ byte: UInt8) -> Int32 {
    var states = members.states
    if states.contains(where: waits) {
      begin()
      let following = Following.known(endsLine: Self.endsLine(byte), ByteKind(byte))
      for state in states where follow(state, members.place, following) { return Self.match }
      states = gathered
    }
    begin()
    let place = Place(behind: byte)
    for state in states {
      guard case .byte(let set, let next) = automaton.states[Int(state)], automaton.sets[set].contains(byte) else {
        continue
      }
      if follow(Int32(next), place, .open) { return Self.match }
    }
    if follow(Int32(automaton.start), place, .open) { return Self.match }
    return number(of: gathered, place)
  }

  /// Tells whether a state waits for what follows.
  private func waits(_ state: Int32) -> Bool {
    switch automaton.states[Int(state)] {
    case .lineEnd, .boundary: true
    default: false
    }
  }

  private func isMatchAtEnd(_ state: Int32) -> Bool {
    begin()
    let members = members[Int(state / Self.width)]
    for state in members.states where follow(state, members.place, .end) { return true }
    return false
  }

  /// Tells whether a line may end before a byte: with those of ASCII, or with U+0085, U+2028 or U+2029, which begin so.
  private static func endsLine(_ byte: UInt8) -> Bool { (10...13).contains(byte) || byte == 0xc2 || byte == 0xe2 }

  /// Tells whether a line may begin behind a byte, which may be the last of such a scalar.
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
  private func follow(_ state: Int32, _ place: Place, _ following: Following) -> Bool {
    var open = [state]
    while let state = open.popLast() {
      guard seen[Int(state)] != round else { continue }
      seen[Int(state)] = round
      switch (automaton.states[Int(state)], following) {
      case (.match, _): return true
      case (.byte, _): gathered.append(state)
      case (.both(let one, let other), _):
        open.append(Int32(other))
        open.append(Int32(one))
      case (.lineStart(let next), _): if place.isLineStart { open.append(Int32(next)) }
      case (.lineEnd, .open), (.boundary, .open): gathered.append(state)
      case (.lineEnd(let next), .known(let endsLine, _)): if endsLine { open.append(Int32(next)) }
      case (.boundary(let isThere, let next), .known(_, let byte)):
        let isUnknown = byte == .unknown || place.byte == .unknown
        if isUnknown || (byte != place.byte) == isThere { open.append(Int32(next)) }
      }
    }
    return false
  }

  /// The place of the entries of a set of states.
  private func number(of states: [Int32], _ place: Place) -> Int32 {
    // The place makes no difference where no state waits.
    let key = Members(states: states.sorted(), place: states.contains(where: waits) ? place : .lineStart)
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
