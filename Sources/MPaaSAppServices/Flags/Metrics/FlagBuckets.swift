/// The counts of a stretch of time.
struct FlagBucket: Sendable, Equatable {
  /// Seconds since 1970.
  var start: Double
  var stop: Double
  var counts: [String: FlagCount]

  mutating func add(_ other: FlagBucket) {
    start = min(start, other.start)
    stop = max(stop, other.stop)
    for (name, count) in other.counts where counts[name] != nil || counts.count < FlagCounter.mostNames {
      counts[name, default: FlagCount()].add(count)
    }
  }
}

/// Buckets that the server does not have yet, the oldest first.
struct FlagBuckets: Sendable, Equatable {
  /// The most buckets; where there are more, the two oldest become one.
  static let most = 24

  private(set) var waiting: [FlagBucket] = []

  var first: FlagBucket? { waiting.first }

  mutating func append(_ bucket: FlagBucket) {
    guard !bucket.counts.isEmpty else { return }
    waiting.append(bucket)
    guard waiting.count > Self.most else { return }
    let oldest = waiting.removeFirst()
    waiting[0].add(oldest)
  }

  mutating func removeFirst() { if !waiting.isEmpty { waiting.removeFirst() } }
}
