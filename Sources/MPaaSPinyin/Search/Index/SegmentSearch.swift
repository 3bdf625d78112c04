/// A search of one word in one segment.
struct SegmentSearch {
  /// The best match of a text.
  struct Found {
    var text: Int
    var start: Int
    var end: Int
    var rank: UInt64
    var ways: UInt8
  }

  let segment: IndexSegment
  let matcher: Matcher
  private let word: CompiledWord

  init(_ segment: IndexSegment, _ word: CompiledWord) {
    self.segment = segment
    self.word = word
    matcher = Matcher(segment, word)
  }

  /// Calls `body` with the best match of each text that matches, the texts in order, until it returns false.
  func forEach(_ body: (Found) -> Bool) {
    let positions = matchingPositions()
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
    for ending in matcher.endings(at: position) {
      let (order, ways) = Ways.best(of: ending.ways)
      let rank = Ways.rank(
        group: segment.group(of: text), order: order, start: position - range.lowerBound,
        matched: ending.position - position + 1, length: range.count)
      if let known = best, known.rank <= rank { continue }
      best = Found(
        text: text, start: position - range.lowerBound, end: ending.position - range.lowerBound, rank: rank, ways: ways)
    }
  }

  /// The positions at which a match begins, in order.
  private func matchingPositions() -> [UInt32] {
    (0..<UInt32(segment.elements.count)).filter { matcher.matches(at: Int($0)) }
  }
}
