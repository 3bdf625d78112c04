/// Matches a word of a query against the texts of a segment, from given positions on.
///
/// The states are the offsets of the word that were reached; a character takes each of them further or drops it.
struct Matcher {
  /// A stretch that matches: the position of its last character, and the ways in which it can be consumed.
  struct Ending {
    var position: Int
    /// A bit for each set of ways by which the end can be reached.
    var ways: UInt64
  }

  let segment: IndexSegment
  let word: CompiledWord
  private let literals: [UInt32]

  init(_ segment: IndexSegment, _ word: CompiledWord) {
    self.segment = segment
    self.word = word
    literals = word.literals
  }

  /// Whether something that begins at `position` matches.
  @inline(__always) func matches(at position: Int) -> Bool {
    word.count < 64 ? matchesNarrow(at: position) : !endings(at: position, first: true).isEmpty
  }

  @inline(__always) private func matchesNarrow(at position: Int) -> Bool {
    literals.withUnsafeBufferPointer { literals in
      let count = word.count
      let end: UInt64 = 1 << UInt64(count)
      var position = position
      var element = segment.elements[position]
      var states = step(1, segment.characterClass(element), literals)
      while true {
        if states & end != 0 { return true }
        if states == 0 || element & IndexSegment.Element.last != 0 { return false }
        position += 1
        element = segment.elements[position]
        let next = step(states, segment.characterClass(element), literals)
        states = word.gaps || element & IndexSegment.Element.passedOver != 0 ? states | next : next
      }
    }
  }

  @inline(__always)
  private func step(_ states: UInt64, _ character: CharacterClass, _ literals: UnsafeBufferPointer<UInt32>) -> UInt64 {
    var next: UInt64 = 0
    var rest = states
    while rest != 0 {
      let offset = rest.trailingZeroBitCount
      rest &= rest &- 1
      if literals[offset] == character.literal { next |= 2 << UInt64(offset) }
      guard character.count > 0 else { continue }
      next |= taken(SearchReadings.Entry(rawValue: character.first), offset)
      if character.count > 1 {
        for index in character.start + 1..<character.start + character.count {
          next |= taken(SearchReadings.Entry(rawValue: segment.readings[index]), offset)
        }
      }
    }
    return next
  }

  @inline(__always) private func taken(_ entry: SearchReadings.Entry, _ offset: Int) -> UInt64 {
    guard entry.grade <= word.highestGrade else { return 0 }
    return UInt64(word.lengths[word.row(entry) + offset]) << UInt64(offset + 1)
  }

  /// Every stretch that begins at `position` and matches, with the ways, shortest first.
  ///
  /// - Parameter first: Whether one is enough.
  func endings(at position: Int, first: Bool = false) -> [Ending] {
    var found: [Ending] = []
    var current: [Int] = [0]
    var ways = [UInt64](repeating: 0, count: word.count + 1)
    ways[0] = 1
    var next = [UInt64](repeating: 0, count: word.count + 1)
    var position = position
    var isFirst = true
    while true {
      let element = segment.elements[position]
      var reached: [Int] = []
      let isPassedOver = !isFirst && (word.gaps || element & IndexSegment.Element.passedOver != 0)
      let character = segment.characterClass(element)
      for offset in current {
        if isPassedOver { Self.reach(offset, ways[offset], &next, &reached) }
        take(character, offset, ways[offset], &next, &reached)
        ways[offset] = 0
      }
      swap(&ways, &next)
      if let index = reached.firstIndex(of: word.count) {
        reached.remove(at: index)
        found.append(Ending(position: position, ways: ways[word.count]))
        ways[word.count] = 0
        if first { return found }
      }
      if reached.isEmpty || element & IndexSegment.Element.last != 0 { return found }
      current = reached
      isFirst = false
      position += 1
    }
  }

  private func take(
    _ character: CharacterClass, _ offset: Int, _ ways: UInt64, _ next: inout [UInt64], _ reached: inout [Int]
  ) {
    if literals[offset] == character.literal {
      Self.reach(offset + 1, Self.adding(CompiledWord.Way.literal, to: ways), &next, &reached)
    }
    for index in character.start..<character.start + character.count {
      let entry = SearchReadings.Entry(rawValue: segment.readings[index])
      guard entry.grade <= word.highestGrade else { continue }
      var details = word.details[word.row(entry) + offset]
      // The usual reading is the first one; every other is ranked behind it.
      let rare = entry.grade > 0 ? CompiledWord.Way.rare : 0
      while details != 0 {
        let bit = details.trailingZeroBitCount
        details &= details &- 1
        let way = CompiledWord.ways[bit / 10] | rare
        Self.reach(offset + bit % 10 + 1, Self.adding(way, to: ways), &next, &reached)
      }
    }
  }

  @inline(__always)
  private static func reach(_ offset: Int, _ ways: UInt64, _ next: inout [UInt64], _ reached: inout [Int]) {
    if next[offset] == 0 { reached.append(offset) }
    next[offset] |= ways
  }

  /// Adds ways to each set of ways: the bit of every set moves to that of the larger set.
  @inline(__always) static func adding(_ way: UInt64, to sets: UInt64) -> UInt64 {
    var sets = sets
    if way & 1 != 0 { sets = sets << 1 & 0xAAAA_AAAA_AAAA_AAAA | sets & 0xAAAA_AAAA_AAAA_AAAA }
    if way & 2 != 0 { sets = sets << 2 & 0xCCCC_CCCC_CCCC_CCCC | sets & 0xCCCC_CCCC_CCCC_CCCC }
    if way & 4 != 0 { sets = sets << 4 & 0xF0F0_F0F0_F0F0_F0F0 | sets & 0xF0F0_F0F0_F0F0_F0F0 }
    if way & 8 != 0 { sets = sets << 8 & 0xFF00_FF00_FF00_FF00 | sets & 0xFF00_FF00_FF00_FF00 }
    if way & 16 != 0 { sets = sets << 16 & 0xFFFF_0000_FFFF_0000 | sets & 0xFFFF_0000_FFFF_0000 }
    if way & 32 != 0 { sets = sets << 32 & 0xFFFF_FFFF_0000_0000 | sets & 0xFFFF_FFFF_0000_0000 }
    return sets
  }
}
