/// A search of one word in one segment.
final class SegmentSearch {
  /// The best match of a text.
  struct Found {
    var text: Int
    var start: Int
    var end: Int
    /// The rank, and in the lowest eight bits the ways.
    var packed: UInt64
  }

  let segment: IndexSegment
  let matcher: Matcher?
  let word: CompiledWord
  /// The ways by which each offset was reached, twice, for words of fewer than 64 letters.
  private let scratch: UnsafeMutablePointer<UInt64>
  /// For words of one letter, order and ways of each class; `.max` where they are not known yet.
  private let known: UnsafeMutablePointer<UInt16>

  init(_ segment: IndexSegment, _ word: CompiledWord) {
    self.segment = segment
    self.word = word
    matcher = Matcher(segment, word)
    scratch = .allocate(capacity: 128)
    scratch.initialize(repeating: 0, count: 128)
    let classes = word.count == 1 ? segment.classes.count : 0
    known = .allocate(capacity: classes + 1)
    known.initialize(repeating: .max, count: classes + 1)
  }

  deinit {
    scratch.deallocate()
    known.deallocate()
  }

  /// Calls `body` with the best match of each text that matches, the texts in order, until it returns false.
  @inline(__always)
  func forEach(_ body: (Found) -> Bool) {
    guard let matcher else { return }
    let candidates = Candidates(segment, word)
    let isCertain = candidates.isCertain
    let positions = candidates.positions { isCertain || matcher.matches(at: $0) }
    positions.withUnsafeBufferPointer { positions in
      var index = 0
      while index < positions.count {
        let text = segment.text(at: Int(positions[index]))
        let range = segment.range(of: text)
        let group = segment.group(of: text)
        var best = Found(text: text, start: 0, end: 0, packed: .max)
        while index < positions.count, Int(positions[index]) < range.upperBound {
          consider(matcher, Int(positions[index]), range, group, &best)
          index += 1
        }
        if !body(best) { return }
      }
    }
  }

  /// The best match in one text.
  func best(in text: Int) -> Found? {
    guard let matcher else { return nil }
    let range = segment.range(of: text)
    var best = Found(text: text, start: 0, end: 0, packed: .max)
    for position in range where matcher.matches(at: position) {
      consider(matcher, position, range, segment.group(of: text), &best)
    }
    return best.packed == .max ? nil : best
  }

  /// Every stretch of a text that matches, for each first character every last one.
  func ranges(in text: Int) -> [ClosedRange<Int>] {
    guard let matcher else { return [] }
    let range = segment.range(of: text)
    return range.flatMap { position in
      matcher.endings(at: position).map { position - range.lowerBound...$0.position - range.lowerBound }
    }
  }

  /// Looks at what begins at a position where something matches.
  @inline(__always)
  func consider(_ matcher: Matcher, _ position: Int, _ range: Range<Int>, _ group: UInt8, _ best: inout Found) {
    let start = position - range.lowerBound
    func take(_ end: Int, _ order: UInt8, _ ways: UInt8) {
      let packed = Ways.packed(
        group: group, order: order, ways: ways, start: start, matched: end - position + 1, length: range.count)
      guard packed >> 8 < best.packed >> 8 else { return }
      best.start = start
      best.end = end - range.lowerBound
      best.packed = packed
    }
    if word.count == 1 {
      let (order, ways) = way(matcher, position)
      take(position, order, ways)
    } else if word.count < 64 {
      matcher.eachEnding(at: position, scratch) { end, sets in
        let (order, ways) = Ways.best(of: sets)
        take(end, order, ways)
      }
    } else {
      for ending in matcher.endings(at: position) {
        let (order, ways) = Ways.best(of: ending.ways)
        take(ending.position, order, ways)
      }
    }
  }

  /// The way in which a word of one letter matches a character.
  @inline(__always) func way(_ matcher: Matcher, _ position: Int) -> (order: UInt8, ways: UInt8) {
    let number = Int(segment.elements[position] & IndexSegment.Element.classes)
    if known[number] == .max { learn(matcher, number, position) }
    return (UInt8(known[number] >> 8), UInt8(known[number] & 0xFF))
  }

  private func learn(_ matcher: Matcher, _ number: Int, _ position: Int) {
    let (order, ways) = Ways.best(of: matcher.endings(at: position, first: true).first?.ways ?? 0)
    known[number] = UInt16(order) << 8 | UInt16(ways)
  }
}
