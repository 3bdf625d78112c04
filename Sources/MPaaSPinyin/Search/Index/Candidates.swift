/// Finds the positions at which a word can begin to match, by pairs of neighbours and what comes third.
struct Candidates {
  /// Positions of one pair, and the symbols that may come third.
  private struct List {
    let range: Range<Int>
    let thirds: UInt64
    /// Tells whether the first character may match in a better way than by its first letter.
    let isBetter: Bool
  }

  private let segment: IndexSegment
  private let word: CompiledWord
  private let layout: KeyLayout
  private var lists: [List] = []
  private(set) var total = 0
  /// Tells whether every candidate of a word of one letter surely matches.
  private(set) var isCertain = false
  /// The symbols that can follow once so many letters are consumed.
  private var following: [UInt64?]
  /// The symbols that can come third, by what is consumed and the second symbol.
  private var thirds: [Int: UInt64] = [:]

  init(_ segment: IndexSegment, _ word: CompiledWord) {
    self.segment = segment
    self.word = word
    layout = segment.layout
    following = [UInt64?](repeating: nil, count: word.count + 1)
    guard !segment.keys.isEmpty else { return }
    plan()
  }

  /// The positions in order, each once, at which `matches` holds.
  @inline(__always)
  func positions(_ matches: (Int) -> Bool) -> [UInt32] {
    guard !segment.keys.isEmpty else { return (0..<UInt32(segment.elements.count)).filter { matches(Int($0)) } }
    if total * 64 > segment.elements.count { return manyPositions(matches) }
    var found: [UInt32] = []
    var possible: [UInt32] = []
    possible.reserveCapacity(total)
    for list in lists { each(list) { possible.append($0) } }
    var start = 0
    var warm: UInt32 = 0
    while start < possible.count {
      let end = min(start + 32, possible.count)
      // All of them are asked for before one is waited for.
      for index in start..<end { warm |= segment.elements[Int(possible[index])] }
      for index in start..<end where matches(Int(possible[index])) { found.append(possible[index]) }
      start = end
    }
    if warm == 0 { return [] }
    found.sort()
    var kept = 0
    for index in found.indices where kept == 0 || found[kept - 1] != found[index] {
      found[kept] = found[index]
      kept += 1
    }
    found.removeLast(found.count - kept)
    return found
  }

  /// The same by a bit for every position, which puts them in order.
  @inline(__always)
  private func manyPositions(_ matches: (Int) -> Bool) -> [UInt32] {
    let bits = WritableArray<UInt64>(zeros: segment.elements.count / 64 + 1)
    defer { withExtendedLifetime(bits) {} }
    let pointer = bits.pointer
    for list in lists { each(list) { pointer[Int($0 >> 6)] |= 1 << UInt64($0 & 63) } }
    var found: [UInt32] = []
    found.reserveCapacity(total)
    for word in 0..<bits.count {
      var rest = pointer[word]
      while rest != 0 {
        let position = word << 6 | rest.trailingZeroBitCount
        rest &= rest &- 1
        if matches(position) { found.append(UInt32(position)) }
      }
    }
    return found
  }

  /// Sets a bit for every position, and in `better` for those that may match in a better way than by a first letter.
  func mark(_ bits: UnsafeMutablePointer<UInt64>, better: UnsafeMutablePointer<UInt64>) {
    for list in lists {
      each(list) { bits[Int($0 >> 6)] |= 1 << UInt64($0 & 63) }
      if list.isBetter { each(list) { better[Int($0 >> 6)] |= 1 << UInt64($0 & 63) } }
    }
  }

  @inline(__always) private func each(_ list: List, _ body: (UInt32) -> Void) {
    guard list.thirds != .max else { return segment.postings[list.range].forEach(body) }
    for index in list.range {
      let third = segment.thirds[index]
      if third >= IndexSegment.anyThird || list.thirds >> UInt64(third) & 1 != 0 { body(segment.postings[index]) }
    }
  }

  /// The symbols that may follow once so many letters are consumed; every symbol where nothing needs to.
  private mutating func following(_ consumed: Int) -> UInt64 {
    guard consumed < word.count, !word.gaps else { return .max }
    if let known = following[consumed] { return known }
    let symbols = classes(at: consumed).reduce(word.symbols[consumed]) {
      $0 | 1 << UInt64(layout.symbol(of: segment.classes[$1]))
    }
    following[consumed] = symbols
    return symbols
  }

  /// The symbols that may come third where so many letters are consumed by the first and the second begins with a
  /// symbol.
  private mutating func third(_ consumed: Int, _ symbol: Int) -> UInt64 {
    guard consumed < word.count, !word.gaps else { return .max }
    if let known = thirds[consumed << 6 | symbol] { return known }
    var symbols: UInt64 = 0
    for spelling in layout.spellings.starts[symbol]..<layout.spellings.starts[symbol + 1] {
      var lengths = lengths(spelling, consumed)
      while lengths != 0 {
        symbols |= following(consumed + lengths.trailingZeroBitCount + 1)
        lengths &= lengths &- 1
      }
    }
    for number in classes(at: consumed)
    where layout.symbols(of: segment.classes[number], segment) >> UInt64(symbol) & 1 != 0 {
      symbols |= following(consumed + 1)
    }
    thirds[consumed << 6 | symbol] = symbols
    return symbols
  }

  /// The classes of the characters that stand for themselves at an offset.
  private func classes(at offset: Int) -> [Int] {
    word.literals(at: offset).flatMap { Array(segment.classes(comparedAs: $0)) }
  }

  /// The number of letters that a spelling can consume from an offset, in any tone.
  private func lengths(_ spelling: Int, _ offset: Int) -> UInt16 {
    let rows = word.isToned ? 6 : 1
    return (spelling * rows..<(spelling + 1) * rows).reduce(0) { $0 | word.lengths[$1 * word.count + offset] }
  }

  private mutating func plan() {
    let literals = classes(at: 0)
    var bySpelling: Set<Int> = []
    var bySymbol: Set<Int> = []
    for number in literals {
      let character = segment.classes[number]
      if character.count > 0 {
        bySpelling.insert(SearchReadings.Entry(rawValue: character.first).spelling)
      } else {
        bySymbol.insert(SearchSymbol.of(character.literal))
      }
    }
    isCertain =
      word.count == 1 && !word.isToned && !word.gaps && word.highestGrade >= PinyinHeteronyms.all.rawValue
      && bySpelling.isEmpty && bySymbol.allSatisfy { $0 < SearchSymbol.others }
    for spelling in layout.spellings.names.indices {
      let lengths = lengths(spelling, 0) | (bySpelling.contains(spelling) ? 1 : 0)
      guard lengths != 0 else { continue }
      let isFull = word.count == 1 && word.details[spelling * (word.isToned ? 6 : 1)] & 0x3FF != 0
      add(layout.spellingKeys[spelling], layout.widths[Int(layout.spellings.symbols[spelling])], lengths, isFull)
    }
    for symbol in bySymbol { add(layout.bases[symbol], layout.widths[symbol], 1, true) }
  }

  /// Adds the pairs of a first character that can consume so many letters.
  private mutating func add(_ key: Int, _ width: Int, _ lengths: UInt16, _ isBetter: Bool) {
    let consumed = (0..<16).compactMap { lengths >> UInt16($0) & 1 != 0 ? $0 + 1 : nil }
    let symbols = consumed.map { following($0) }
    var rest = symbols.reduce(0, |)
    while rest != 0 {
      let symbol = rest.trailingZeroBitCount
      rest &= rest &- 1
      let pair = key + symbol * width
      let (start, end) = (Int(segment.keys[pair]), Int(segment.keys[pair + 1]))
      guard start < end else { continue }
      var thirds: UInt64 = 0
      for (count, second) in zip(consumed, symbols) where second >> UInt64(symbol) & 1 != 0 {
        thirds |= third(count, symbol)
      }
      lists.append(List(range: start..<end, thirds: thirds, isBetter: isBetter))
      total += end - start
    }
  }
}
