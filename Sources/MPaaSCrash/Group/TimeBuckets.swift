/// Counts over time in steps of one width: what charts are drawn from.
package struct TimeBuckets: Sendable, Equatable {
  /// Seconds since 1970 at which the first step begins.
  package let start: Int64
  /// Seconds.
  package let width: Int64
  package let count: Int

  private static let hour: Int64 = 3600
  private static let day: Int64 = 86_400

  /// Steps that cover a period, few enough for a line of a table; days begin at midnight UTC.
  ///
  /// - Parameter most: How many steps there may be.
  package init(from first: Int64, to last: Int64, most: Int) {
    let widths = [1, 2, 3, 6, 12].map { $0 * Self.hour } + [1, 2, 7, 14, 30, 60, 91, 182, 365].map { $0 * Self.day }
    let span = last.subtractingReportingOverflow(first)
    let length = span.overflow ? Int64.max / 4 : max(span.partialValue, 0)
    var width = widths.first { length / $0 + 2 <= Int64(most) } ?? 365 * Self.day
    while length / width + 2 > Int64(most) { width *= 2 }
    self.width = width
    start = Self.floor(first, by: width)
    count = Int((last &- start) / width) + 1
  }

  private static func floor(_ value: Int64, by divisor: Int64) -> Int64 {
    let remainder = value % divisor
    return value &- (remainder < 0 ? remainder + divisor : remainder)
  }

  /// The number of the times in each step.
  package func counts(_ times: [Int64]) -> [Int] {
    var counts = [Int](repeating: 0, count: count)
    for time in times {
      let step = Int((time &- start) / width)
      if counts.indices.contains(step) { counts[step] += 1 }
    }
    return counts
  }
}

/// The direction of a group, by the halves of the time that it and the others were seen in.
package enum GroupTrend: String, Sendable, Codable {
  /// Seen only in the last quarter of the period.
  case new
  /// At least half more in the second half of the period than in the first, …
  case rising
  /// … or at least a third less.
  case falling
  case steady
  /// Seen too seldom to say.
  case unknown

  package init(times: [Int64], period: ClosedRange<Int64>) {
    let length = period.upperBound.subtractingReportingOverflow(period.lowerBound)
    guard times.count >= 4, !length.overflow, length.partialValue >= 3600, let first = times.min() else {
      self = .unknown
      return
    }
    if first - period.lowerBound > length.partialValue / 4 * 3 {
      self = .new
      return
    }
    let middle = period.lowerBound + length.partialValue / 2
    let late = times.count { $0 > middle }
    let early = times.count - late
    if late * 2 >= early * 3, late > early + 1 {
      self = .rising
    } else if late * 3 <= early * 2, early > late + 1 {
      self = .falling
    } else {
      self = .steady
    }
  }
}
