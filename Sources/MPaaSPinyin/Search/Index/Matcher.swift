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

  private let word: CompiledWord
  private let count: Int
  private let highestGrade: UInt32
  private let isToned: Bool
  private let gaps: Bool
  private let isKeypad: Bool
  // The segment's memory and the word's, which whoever matches keeps.
  private let elements: UnsafePointer<UInt32>
  private let classes: UnsafePointer<IndexedCharacter>
  private let readings: UnsafePointer<UInt32>
  private let literals: UnsafePointer<UInt32>
  private let lengths: UnsafePointer<UInt16>
  private let details: UnsafePointer<UInt64>

  /// Nil where the segment has no texts.
  init?(_ segment: IndexSegment, _ word: CompiledWord) {
    guard let elements = segment.elements.baseAddress, let classes = segment.classes.baseAddress else { return nil }
    self.word = word
    self.elements = elements
    self.classes = classes
    // A segment without any readings never looks at them.
    readings = segment.readings.baseAddress ?? elements
    count = word.count
    highestGrade = word.highestGrade
    isToned = word.isToned
    gaps = word.gaps
    isKeypad = word.isKeypad
    literals = UnsafePointer(word.literals)
    lengths = UnsafePointer(word.lengths)
    details = UnsafePointer(word.details)
  }

  @inline(__always) private func characterClass(_ element: UInt32) -> IndexedCharacter {
    classes[Int(element & IndexSegment.Element.classes)]
  }

  /// Tells whether a character stands for itself at an offset; on a keypad a letter does by the digit of its key.
  @inline(__always) private func isLiteral(_ offset: Int, _ character: IndexedCharacter) -> Bool {
    literals[offset] == character.literal
      || isKeypad && PinyinKeyboard.digit(character.literal) == literals[offset]
  }

  /// The row of a reading in the tables.
  @inline(__always) private func row(_ entry: SearchReadings.Entry) -> Int {
    (isToned ? entry.spelling * 6 + entry.tone : entry.spelling) * count
  }

  /// Tells whether something that begins at `position` matches.
  @inline(__always) func matches(at position: Int) -> Bool {
    count < 64 ? matchesNarrow(at: position) : !endings(at: position, first: true).isEmpty
  }

  @inline(__always) private func matchesNarrow(at position: Int) -> Bool {
    let end: UInt64 = 1 << UInt64(count)
    var position = position
    var element = elements[position]
    var states = step(1, characterClass(element))
    while true {
      if states & end != 0 { return true }
      if states == 0 || element & IndexSegment.Element.last != 0 { return false }
      position += 1
      element = elements[position]
      let next = step(states, characterClass(element))
      states = gaps || element & IndexSegment.Element.passedOver != 0 ? states | next : next
    }
  }

  @inline(__always)
  private func step(_ states: UInt64, _ character: IndexedCharacter) -> UInt64 {
    var next: UInt64 = 0
    var rest = states
    while rest != 0 {
      let offset = rest.trailingZeroBitCount
      rest &= rest &- 1
      if isLiteral(offset, character) { next |= 2 << UInt64(offset) }
      guard character.count > 0 else { continue }
      next |= taken(SearchReadings.Entry(rawValue: character.first), offset)
      if character.count > 1 {
        for index in character.start + 1..<character.start + character.count {
          next |= taken(SearchReadings.Entry(rawValue: readings[index]), offset)
        }
      }
    }
    return next
  }

  @inline(__always) private func taken(_ entry: SearchReadings.Entry, _ offset: Int) -> UInt64 {
    guard entry.grade <= highestGrade else { return 0 }
    return UInt64(lengths[row(entry) + offset]) << UInt64(offset + 1)
  }

  /// Every stretch that begins at `position` and matches, with the ways, shortest first.
  ///
  /// - Parameter first: Whether one is enough.
  func endings(at position: Int, first: Bool = false) -> [Ending] {
    var found: [Ending] = []
    var current: [Int] = [0]
    var ways = [UInt64](repeating: 0, count: count + 1)
    ways[0] = 1
    var next = [UInt64](repeating: 0, count: count + 1)
    var position = position
    var isFirst = true
    while true {
      let element = elements[position]
      var reached: [Int] = []
      let isPassedOver = !isFirst && (gaps || element & IndexSegment.Element.passedOver != 0)
      let character = characterClass(element)
      for offset in current {
        if isPassedOver { Self.reach(offset, ways[offset], &next, &reached) }
        take(character, offset, ways[offset], &next, &reached)
        ways[offset] = 0
      }
      swap(&ways, &next)
      if let index = reached.firstIndex(of: count) {
        reached.remove(at: index)
        found.append(Ending(position: position, ways: ways[count]))
        ways[count] = 0
        if first { return found }
      }
      if reached.isEmpty || element & IndexSegment.Element.last != 0 { return found }
      current = reached
      isFirst = false
      position += 1
    }
  }

  /// The same for words of fewer than 64 letters.
  ///
  /// - Parameter scratch: Room for 128 numbers; what it holds does not count.
  @inline(__always)
  func eachEnding(at position: Int, _ scratch: UnsafeMutablePointer<UInt64>, _ body: (Int, UInt64) -> Void) {
    let end: UInt64 = 1 << UInt64(count)
    var (ways, next) = (scratch, scratch + 64)
    var position = position
    var states: UInt64 = 1
    ways[0] = 1
    var mayPass = false
    while true {
      let element = elements[position]
      let character = characterClass(element)
      var reached: UInt64 = 0
      if mayPass, gaps || element & IndexSegment.Element.passedOver != 0 {
        reached = states
        (next, ways) = (ways, next)
        // A character that is passed over leaves everything as it is; one that is consumed starts from the same ways.
        ways.update(from: next, count: 64)
      }
      var rest = states
      while rest != 0 {
        let offset = rest.trailingZeroBitCount
        rest &= rest &- 1
        take(character, offset, ways[offset], next, &reached)
      }
      if reached & end != 0 { body(position, next[count]) }
      states = reached & ~end
      if states == 0 || element & IndexSegment.Element.last != 0 { return }
      (ways, next) = (next, ways)
      mayPass = true
      position += 1
    }
  }

  @inline(__always)
  private func take(
    _ character: IndexedCharacter, _ offset: Int, _ ways: UInt64, _ next: UnsafeMutablePointer<UInt64>,
    _ reached: inout UInt64
  ) {
    func reach(_ offset: Int, _ way: UInt64) {
      let bit: UInt64 = 1 << UInt64(offset)
      let sets = Self.adding(way, to: ways)
      next[offset] = reached & bit == 0 ? sets : next[offset] | sets
      reached |= bit
    }
    if isLiteral(offset, character) { reach(offset + 1, CompiledWord.Way.literal) }
    for index in character.start..<character.start + character.count {
      let entry = SearchReadings.Entry(rawValue: readings[index])
      guard entry.grade <= highestGrade else { continue }
      var details = details[row(entry) + offset]
      let rare = entry.grade > 0 ? CompiledWord.Way.rare : 0
      while details != 0 {
        let bit = details.trailingZeroBitCount
        details &= details &- 1
        reach(offset + bit % 10 + 1, CompiledWord.ways[bit / 10] | rare)
      }
    }
  }

  private func take(
    _ character: IndexedCharacter, _ offset: Int, _ ways: UInt64, _ next: inout [UInt64], _ reached: inout [Int]
  ) {
    if isLiteral(offset, character) {
      Self.reach(offset + 1, Self.adding(CompiledWord.Way.literal, to: ways), &next, &reached)
    }
    for index in character.start..<character.start + character.count {
      let entry = SearchReadings.Entry(rawValue: readings[index])
      guard entry.grade <= highestGrade else { continue }
      var details = details[row(entry) + offset]
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
