/// Finds the positions at which a word can begin to match, by pairs of neighbours.
struct Candidates {
  private let segment: IndexSegment
  private let word: CompiledWord
  private let layout: KeyLayout
  /// For each spelling, and for each symbol's characters without readings, the second symbols that can follow.
  private var spellings: [UInt64]
  private var others = [UInt64](repeating: 0, count: 64)
  private var lists: [UnsafeBufferPointer<UInt32>] = []
  private var total = 0

  init(_ segment: IndexSegment, _ word: CompiledWord) {
    self.segment = segment
    self.word = word
    layout = segment.layout
    spellings = [UInt64](repeating: 0, count: layout.spellings.names.count)
    planReadings()
    planLiterals()
    collect()
  }

  /// The positions in order, each once, at which `matches` holds.
  func positions(_ matches: (Int) -> Bool) -> [UInt32] {
    guard !segment.keys.isEmpty else { return (0..<UInt32(segment.elements.count)).filter { matches(Int($0)) } }
    if total * 24 > segment.elements.count { return manyPositions(matches) }
    var found: [UInt32] = []
    for list in lists {
      for position in list where matches(Int(position)) { found.append(position) }
    }
    found.sort()
    return found.withUnsafeMutableBufferPointer { found -> Int in
      var kept = 0
      for index in found.indices where kept == 0 || found[kept - 1] != found[index] {
        found[kept] = found[index]
        kept += 1
      }
      return kept
    }.prefix(of: found)
  }

  /// The same by a bit for every position, which puts them in order.
  private func manyPositions(_ matches: (Int) -> Bool) -> [UInt32] {
    let bits = WritableArray<UInt64>(zeros: segment.elements.count / 64 + 1)
    defer { withExtendedLifetime(bits) {} }
    for list in lists {
      for position in list { bits.pointer[Int(position >> 6)] |= 1 << UInt64(position & 63) }
    }
    var found: [UInt32] = []
    found.reserveCapacity(total)
    for word in 0..<bits.count {
      var rest = bits.pointer[word]
      while rest != 0 {
        let position = word << 6 | rest.trailingZeroBitCount
        rest &= rest &- 1
        if matches(position) { found.append(UInt32(position)) }
      }
    }
    return found
  }

  /// What may follow once so many letters are consumed; every symbol where nothing needs to.
  private func following(_ consumed: Int) -> UInt64 {
    guard consumed < word.count, !word.gaps else { return .max }
    return segment.classes(comparedAs: word.literals[consumed]).reduce(word.symbols[consumed]) {
      $0 | 1 << UInt64(layout.symbol(of: segment.classes[$1]))
    }
  }

  private mutating func planReadings() {
    let rows = word.isToned ? 6 : 1
    var known: [UInt64?] = [UInt64?](repeating: nil, count: word.count + 1)
    for spelling in spellings.indices {
      var lengths: UInt16 = 0
      for row in spelling * rows..<(spelling + 1) * rows { lengths |= word.lengths[row * word.count] }
      while lengths != 0 {
        let consumed = lengths.trailingZeroBitCount + 1
        lengths &= lengths &- 1
        let symbols = known[consumed] ?? following(consumed)
        known[consumed] = symbols
        spellings[spelling] |= symbols
      }
    }
  }

  private mutating func planLiterals() {
    let classes = segment.classes(comparedAs: word.literals[0])
    guard !classes.isEmpty else { return }
    let symbols = following(1)
    for number in classes {
      let character = segment.classes[number]
      if character.count > 0 {
        spellings[SearchReadings.Entry(rawValue: character.first).spelling] |= symbols
      } else {
        others[SearchSymbol.of(character.literal)] |= symbols
      }
    }
  }

  private mutating func collect() {
    guard !segment.keys.isEmpty else { return }
    for spelling in spellings.indices where spellings[spelling] != 0 {
      add(layout.spellingKeys[spelling], layout.widths[Int(layout.spellings.symbols[spelling])], spellings[spelling])
    }
    for symbol in others.indices where others[symbol] != 0 {
      add(layout.bases[symbol], layout.widths[symbol], others[symbol])
    }
  }

  private mutating func add(_ key: Int, _ width: Int, _ symbols: UInt64) {
    var rest = symbols
    while rest != 0 {
      let pair = key + rest.trailingZeroBitCount * width
      rest &= rest &- 1
      let (start, end) = (Int(segment.keys[pair]), Int(segment.keys[pair + 1]))
      guard start < end else { continue }
      lists.append(UnsafeBufferPointer(rebasing: segment.postings[start..<end]))
      total += end - start
    }
  }
}

extension Int {
  /// The first so many values of an array.
  fileprivate func prefix(of array: [UInt32]) -> [UInt32] { self == array.count ? array : Array(array.prefix(self)) }
}
