/// A search of one word in one segment.
final class SegmentSearch {
  /// The best match of a text.
  struct Found {
    var text: Int
    var start: Int
    var end: Int
    var rank: UInt64
    var ways: UInt8
  }

  let segment: IndexSegment
  private let matcher: Matcher
  private let word: CompiledWord
  /// The ways by which each offset was reached, twice, for words of fewer than 64 letters.
  private let scratch: UnsafeMutablePointer<UInt64>
  /// For words of one letter, order and ways of each class; `.max` where they are not known yet.
  private var known: [UInt16] = []

  init(_ segment: IndexSegment, _ word: CompiledWord) {
    self.segment = segment
    self.word = word
    matcher = Matcher(segment, word)
    scratch = .allocate(capacity: 128)
    scratch.initialize(repeating: 0, count: 128)
    if word.count == 1 { known = [UInt16](repeating: .max, count: segment.classes.count) }
  }

  deinit {
    scratch.deallocate()
  }

  /// Calls `body` with the best match of each text that matches, the texts in order, until it returns false.
  func forEach(_ body: (Found) -> Bool) {
    let positions = Candidates(segment, word).positions { [matcher] in matcher.matches(at: $0) }
    var index = 0
    while index < positions.count {
      let text = segment.text(at: Int(positions[index]))
      let range = segment.range(of: text)
      var best: Found?
      while index < positions.count, Int(positions[index]) < range.upperBound {
        consider(Int(positions[index]), text, range, &best)
        index += 1
      }
      if let best, !body(best) { return }
    }
  }

  /// The best match in one text.
  func best(in text: Int) -> Found? {
    let range = segment.range(of: text)
    var best: Found?
    for position in range where matcher.matches(at: position) { consider(position, text, range, &best) }
    return best
  }

  /// Every stretch of a text that matches, for each first character every last one.
  func ranges(in text: Int) -> [ClosedRange<Int>] {
    let range = segment.range(of: text)
    return range.flatMap { position in
      matcher.endings(at: position).map { position - range.lowerBound...$0.position - range.lowerBound }
    }
  }

  @inline(__always)
  private func consider(_ position: Int, _ text: Int, _ range: Range<Int>, _ best: inout Found?) {
    let group = segment.group(of: text)
    func take(_ end: Int, _ order: UInt8, _ ways: UInt8) {
      let rank = Ways.rank(
        group: group, order: order, start: position - range.lowerBound, matched: end - position + 1, length: range.count)
      if let known = best, known.rank <= rank { return }
      best = Found(text: text, start: position - range.lowerBound, end: end - range.lowerBound, rank: rank, ways: ways)
    }
    if word.count == 1 {
      let number = Int(segment.elements[position] & IndexSegment.Element.classes)
      if known[number] == .max { learn(number, position) }
      take(position, UInt8(known[number] >> 8), UInt8(known[number] & 0xFF))
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

  private func learn(_ number: Int, _ position: Int) {
    let (order, ways) = Ways.best(of: matcher.endings(at: position, first: true).first?.ways ?? 0)
    known[number] = UInt16(order) << 8 | UInt16(ways)
  }
}
