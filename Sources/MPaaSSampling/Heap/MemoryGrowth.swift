/// The difference between two looks at a process' memory.
package struct MemoryGrowth: Sendable, Equatable {
  package struct Range: Sendable, Equatable {
    package let range: MemoryRange
    package let kind: MemoryKind
    /// Bytes in memory more than before; less where it is negative.
    package let growth: Int64
  }

  /// Those that grew or shrank, the largest growth first; ranges that are gone are among them.
  package let ranges: [Range]
  /// Bytes in memory by kind, more than before.
  package let byKind: [MemoryKind: Int64]

  /// - Parameters:
  ///   - before: The earlier look.
  ///   - after: The later one.
  package init(from before: MemoryMap, to after: MemoryMap) {
    var left = Dictionary(uniqueKeysWithValues: before.ranges.enumerated().map { ($0.offset, $0.element) })
    var ranges: [Range] = []
    var place = 0
    for range in after.ranges {
      // A range that grew has another end or another beginning; both lists are in order of addresses.
      while place < before.ranges.count, before.ranges[place].end <= range.start { place += 1 }
      var known: UInt64 = 0
      var next = place
      while next < before.ranges.count, before.ranges[next].start < range.end {
        if before.ranges[next].path == range.path, let earlier = left.removeValue(forKey: next) {
          known &+= earlier.resident
        }
        next += 1
      }
      let growth = Int64(clamping: range.resident) &- Int64(clamping: known)
      if growth != 0 { ranges.append(Range(range: range, kind: after.kind(of: range), growth: growth)) }
    }
    for gone in left.values where gone.resident > 0 {
      ranges.append(Range(range: gone, kind: before.kind(of: gone), growth: -Int64(clamping: gone.resident)))
    }
    self.ranges = ranges.sorted { ($1.growth, $0.range.start) < ($0.growth, $1.range.start) }
    byKind = ranges.reduce(into: [:]) { $0[$1.kind, default: 0] &+= $1.growth }
  }
}
