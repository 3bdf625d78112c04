/// The addresses that the units of a file answer for, and those that are left.
struct UnitRuns {
  /// Addresses whose answers one unit gives.
  struct Run {
    let low: UInt64
    let high: UInt64
    /// Past a short gap behind the run, whose symbols are listed with it.
    let end: UInt64
  }

  /// The runs of each unit, by rising address.
  private(set) var ofUnits: [[Run]]
  /// The ranges that are left.
  private(set) var gaps: [Range<UInt64>] = []

  /// Padding between functions is not worth a block of its own.
  private static let shortGap: UInt64 = 512

  /// - Parameters:
  ///   - first: The units whose answers count before those of `second`.
  init(units: Int, first: UnitIndex, second: UnitIndex) {
    ofUnits = [[Run]](repeating: [], count: units)
    let merged = Self.merged(first, second)
    if let start = merged.first?.start { addGap(0, start) } else { addGap(0, .max) }
    for (index, segment) in merged.enumerated() {
      let end = index + 1 < merged.count ? merged[index + 1].start : .max
      guard segment.owner >= 0 else {
        if index == 0 || !isShort(segment.start, end) { addGap(segment.start, end) }
        continue
      }
      var tail = end
      if index + 1 < merged.count, merged[index + 1].owner < 0 {
        let gapEnd = index + 2 < merged.count ? merged[index + 2].start : .max
        if isShort(end, gapEnd) { tail = gapEnd }
      }
      ofUnits[Int(segment.owner)].append(Run(low: segment.start, high: end, end: tail))
    }
  }

  private func isShort(_ low: UInt64, _ high: UInt64) -> Bool {
    high - low <= Self.shortGap
  }

  private mutating func addGap(_ low: UInt64, _ high: UInt64) {
    if low < high { gaps.append(low..<high) }
  }

  private struct Segment {
    let start: UInt64
    let owner: Int32
  }

  /// One list of both: where `first` names no unit, `second` is asked.
  private static func merged(_ first: UnitIndex, _ second: UnitIndex) -> [Segment] {
    var result: [Segment] = []
    var a = 0
    var b = 0
    while a < first.starts.count || b < second.starts.count {
      let nextA = a < first.starts.count ? first.starts[a] : .max
      let nextB = b < second.starts.count ? second.starts[b] : .max
      let start = min(nextA, nextB)
      if nextA == start, a < first.starts.count { a += 1 }
      if nextB == start, b < second.starts.count { b += 1 }
      var owner = a > 0 ? first.owners[a - 1] : -1
      if owner < 0 { owner = b > 0 ? second.owners[b - 1] : -1 }
      if result.last?.owner != owner { result.append(Segment(start: start, owner: owner)) }
    }
    return result
  }
}
