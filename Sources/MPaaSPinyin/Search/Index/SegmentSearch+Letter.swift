/// The best hits of a query of one letter, which hundreds of thousands of texts match: most need not be looked at.
extension SegmentSearch {
  /// The order of a match by the first letter of the usual reading, which nearly all are.
  private static let usual: UInt8 = PinyinMatchKind.initials.rawValue << 2

  /// Calls `body` with every match that can be among the best.
  ///
  /// - Parameter admits: Whether a rank could still be among the best so many.
  /// - Returns: How many texts match; nil where this short cut cannot be taken, whatever `body` was called with.
  func eachOfLetter(_ candidates: Candidates, _ admits: (UInt64) -> Bool, _ body: (Found) -> Void) -> Int? {
    guard candidates.isCertain, let matcher else { return nil }
    let bits = WritableArray<UInt64>(zeros: segment.startBits.count)
    let better = WritableArray<UInt64>(zeros: segment.startBits.count)
    defer { withExtendedLifetime((bits, better)) {} }
    candidates.mark(bits.pointer, better: better.pointer)
    let total = countTexts(bits.pointer)
    // First those that may be matched in a better way, wherever in the text.
    for word in 0..<better.count {
      var rest = better.pointer[word]
      while rest != 0 {
        let text = segment.text(at: word << 6 | rest.trailingZeroBitCount)
        rest &= rest &- 1
        let range = segment.range(of: text)
        for position in range {
          let bit: UInt64 = 1 << UInt64(position & 63)
          better.pointer[position >> 6] &= ~bit
          if position >> 6 == word { rest &= ~bit }
        }
        considerAll(matcher, text, range, bits.pointer, body)
        bits.pointer[range.lowerBound >> 6] &= ~(1 << UInt64(range.lowerBound & 63))
      }
    }
    // Then those that begin with it: no other place in the text can be better.
    var (length, bound) = (0, UInt64(0))
    for word in 0..<bits.count {
      let starts = segment.startBits[word]
      var rest = bits.pointer[word] & starts
      while rest != 0 {
        let bit = rest & (~rest &+ 1)
        rest &= rest &- 1
        let text = Int(segment.startRanks[word]) + (starts & (bit &- 1)).nonzeroBitCount
        let range = segment.range(of: text)
        if range.count != length || !segment.groups.isEmpty {
          length = range.count
          bound = Ways.packed(
            group: segment.group(of: text), order: Self.usual, ways: 0, start: 0, matched: 1, length: length)
        }
        guard admits(bound) else { continue }
        let (order, ways) = way(matcher, range.lowerBound)
        guard order <= Self.usual else {
          considerAll(matcher, text, range, bits.pointer, body)
          continue
        }
        let packed = Ways.packed(
          group: segment.group(of: text), order: order, ways: ways, start: 0, matched: 1, length: range.count)
        if admits(packed) { body(Found(text: text, start: 0, end: 0, packed: packed)) }
      }
    }
    // A match that begins later is worse than all those, unless there were too few of them.
    let next = Ways.packed(group: 0, order: Self.usual, ways: 0, start: 1, matched: 1, length: 2)
    return admits(next) ? nil : total
  }

  /// The best of all marked places of a text.
  private func considerAll(
    _ matcher: Matcher, _ text: Int, _ range: Range<Int>, _ bits: UnsafeMutablePointer<UInt64>, _ body: (Found) -> Void
  ) {
    var best = Found(text: text, start: 0, end: 0, packed: .max)
    for position in range where bits[position >> 6] >> UInt64(position & 63) & 1 != 0 {
      consider(matcher, position, range, segment.group(of: text), &best)
    }
    if best.packed != .max { body(best) }
  }

  /// The number of texts with a mark: a sum carries from every mark to the end of its text.
  private func countTexts(_ bits: UnsafeMutablePointer<UInt64>) -> Int {
    let words = segment.startBits.count
    let last = segment.elements.count - 1
    var count = 0
    var carry: UInt64 = 0
    for word in 0..<words {
      let following = word + 1 < words ? segment.startBits[word + 1] : 0
      var ends = segment.startBits[word] >> 1 | following << 63
      if last >> 6 == word { ends |= 1 << UInt64(last & 63) }
      let (marks, inner) = (bits[word], ~ends)
      let (first, over) = (marks & inner).addingReportingOverflow(inner)
      let (sum, overflow) = first.addingReportingOverflow(carry)
      carry = over || overflow ? 1 : 0
      count += ((sum | marks) & ends).nonzeroBitCount
    }
    return count
  }
}
