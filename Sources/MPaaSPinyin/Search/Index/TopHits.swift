/// The best hits seen so far, at most so many: a heap with the worst on top.
struct TopHits {
  /// A hit and where its text lies, so that texts with the same rank can be ordered by their pinyin.
  struct Entry {
    let hit: PinyinHit
    let segment: Int
    let text: Int
  }

  private let limit: Int
  private let segments: [IndexSegment]
  private var entries: [Entry] = []
  /// No hit with a higher rank comes in.
  private var worst: UInt64 = .max

  init(limit: Int, _ segments: [IndexSegment]) {
    self.limit = limit
    self.segments = segments
  }

  /// Tells whether a match with this rank could still come in.
  @inline(__always) func admits(_ packed: UInt64) -> Bool { packed >> 8 <= worst }

  mutating func insert(_ entry: Entry) {
    if entries.count < limit {
      entries.append(entry)
      if entries.count == limit {
        for index in (0..<limit / 2).reversed() { sink(index) }
        worst = entries.first?.hit.rank ?? 0
      }
    } else if let first = entries.first, precedes(entry, first) {
      entries[0] = entry
      sink(0)
      worst = entries[0].hit.rank
    }
  }

  /// The hits, the best first.
  func sorted() -> [PinyinHit] { entries.sorted { precedes($0, $1) }.map(\.hit) }

  private func precedes(_ left: Entry, _ right: Entry) -> Bool { Self.precedes(left, right, segments) }

  /// The order of ranks, then of pinyin, then of numbers.
  static func precedes(_ left: Entry, _ right: Entry, _ segments: [IndexSegment]) -> Bool {
    if left.hit.rank != right.hit.rank { return left.hit.rank < right.hit.rank }
    return segments[left.segment].precedes(left.text, right.text, in: segments[right.segment])
      ?? (left.hit.text < right.hit.text)
  }

  private mutating func sink(_ start: Int) {
    var index = start
    while true {
      var worst = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < entries.count && precedes(entries[worst], entries[child]) {
        worst = child
      }
      guard worst != index else { return }
      entries.swapAt(index, worst)
      index = worst
    }
  }
}
