import Synchronization

/// The number of requests that a caller may make a second: a bucket of tokens for each.
package final class RateLimit: Sendable {
  private struct Bucket {
    var left: Double
    var filled: Double
  }

  private let rate: Double
  private let now: @Sendable () -> Double
  private let buckets = Mutex<[String: Bucket]>([:])

  /// - Parameters:
  ///   - rate: Requests a second; as many may come at once.
  ///   - now: Seconds of a clock that never jumps.
  package init(rate: Int, now: @escaping @Sendable () -> Double) {
    self.rate = Double(max(rate, 1))
    self.now = now
  }

  /// Takes one; nil, or else the seconds after which there is one again.
  package func take(_ name: String) -> Double? {
    let moment = now()
    return buckets.withLock { buckets in
      // A caller that has not asked for a second has a full bucket again.
      if buckets.count >= 10_000 { buckets = buckets.filter { moment - $0.value.filled < 1 } }
      var bucket = buckets[name] ?? Bucket(left: rate, filled: moment)
      bucket.left = min(rate, bucket.left + max(moment - bucket.filled, 0) * rate)
      bucket.filled = moment
      defer { buckets[name] = bucket }
      guard bucket.left >= 1 else { return (1 - bucket.left) / rate }
      bucket.left -= 1
      return nil
    }
  }
}
