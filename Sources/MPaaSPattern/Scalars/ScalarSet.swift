/// A set of Unicode scalars, as ranges in their order with gaps between them.
struct ScalarSet: Hashable, Sendable {
  private(set) var ranges: [ClosedRange<UInt32>] = []

  static let last: UInt32 = 0x10_ffff
  static let all = ScalarSet([0...last])
  static let digits = ScalarSet([0x30...0x39])
  static let words = ScalarSet([0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a])
  /// The characters of `\s`: those of `[[:space:]]` without the vertical tab.
  static let spaces = ScalarSet([0x09...0x0a, 0x0c...0x0d, 0x20...0x20])
  static let lineFeed = ScalarSet([0x0a...0x0a])

  init() {}

  /// Creates a set of ranges in any order.
  init(_ ranges: [ClosedRange<UInt32>]) {
    self.ranges = Self.merged(ranges)
  }

  init(_ scalar: UInt32) { ranges = [scalar...scalar] }

  private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
    var result: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let before = result.last, range.lowerBound <= before.upperBound &+ 1 {
        result[result.count - 1] = before.lowerBound...max(before.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }

  /// Sets differ by their ends and their number of ranges, as good as always.
  func hash(into hasher: inout Hasher) {
    hasher.combine(ranges.count)
    hasher.combine(ranges.first)
    hasher.combine(ranges.last)
  }

  mutating func formUnion(_ other: ScalarSet) {
    if other.ranges.isEmpty { return }
    ranges = Self.merged(ranges + other.ranges)
  }

  /// All scalars that are not in the set.
  var inverted: ScalarSet {
    var result = ScalarSet()
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.ranges.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= Self.last { result.ranges.append(next...Self.last) }
    return result
  }

  /// The set with all scalars that differ from one of it by case only.
  var folded: ScalarSet {
    var more = ranges
    for range in ranges { CaseFolding.add(range, to: &more) }
    return more.count == ranges.count ? self : ScalarSet(more)
  }

  func contains(_ scalar: UInt32) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(scalar)
  }
}
