/// One metric of an app over one or more days.
package enum Metric: Sendable, Equatable {
  /// A quantity that adds up from day to day: times, sizes, numbers of ends.
  case sum(Measure)
  /// The greatest of all days.
  case peak(Measure)
  /// A mean, with the number of values that it is of.
  case mean(Measure, count: Double)
  case histogram(MetricHistogram)

  /// The metric of both; nil where they are not of one kind and unit.
  package func adding(_ other: Metric) -> Metric? {
    switch (self, other) {
    case (.sum(let own), .sum(let more)) where own.unit == more.unit:
      return .sum(Measure(own.value + more.value, own.unit))
    case (.peak(let own), .peak(let more)) where own.unit == more.unit:
      return .peak(Measure(max(own.value, more.value), own.unit))
    case (.mean(let own, let count), .mean(let more, let others)) where own.unit == more.unit:
      let all = count + others
      guard all > 0 else { return self }
      return .mean(Measure((own.value * count + more.value * others) / all, own.unit), count: all)
    case (.histogram(let own), .histogram(let more)) where own.unit == more.unit:
      return .histogram(own.adding(more))
    default: return nil
    }
  }
}

/// Numbers of values by the bounds that they lie between.
package struct MetricHistogram: Sendable, Equatable {
  package struct Bucket: Sendable, Equatable {
    package var start: Double
    package var end: Double
    package var count: Int64

    package init(start: Double, end: Double, count: Int64) {
      self.start = start
      self.end = end
      self.count = count
    }
  }

  package let unit: String
  /// By their upper bounds.
  package let buckets: [Bucket]

  package init(unit: String, buckets: [Bucket]) {
    self.unit = unit
    self.buckets = buckets.sorted { ($0.end, $0.start) < ($1.end, $1.start) }
  }

  package var count: Int64 { buckets.reduce(0) { $0.addingSaturating($1.count) } }

  /// The bound that this part of the values, from 0 to 1, does not go over; nil where there are none.
  ///
  /// The upper bound of a value's bucket is certain; its place within the bucket is not known.
  package func bound(_ part: Double) -> Double? {
    let all = count
    guard all > 0 else { return nil }
    let rank = max(1, (Double(all) * part).rounded(.up))
    var seen: Int64 = 0
    for bucket in buckets {
      seen = seen.addingSaturating(bucket.count)
      if bucket.count > 0, Double(seen) >= rank { return bucket.end }
    }
    return buckets.last?.end
  }

  func adding(_ other: MetricHistogram) -> MetricHistogram {
    var sums: [Bounds: Int64] = [:]
    for bucket in buckets + other.buckets {
      let bounds = Bounds(start: bucket.start, end: bucket.end)
      sums[bounds] = (sums[bounds] ?? 0).addingSaturating(bucket.count)
    }
    return MetricHistogram(
      unit: unit, buckets: sums.map { Bucket(start: $0.key.start, end: $0.key.end, count: $0.value) })
  }

  private struct Bounds: Hashable {
    let start: Double
    let end: Double
  }
}
