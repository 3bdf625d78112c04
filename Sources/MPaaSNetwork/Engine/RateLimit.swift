/// A bandwidth as the engine reckons with it: rate, burst, and the bucket, which is the link's own or shared.
struct RateLimit {
  let rate: Int64
  /// In time of the rate.
  let burst: Int64
  /// The most bytes that take a place in the schedule at once.
  let piece: Int
  /// The most bytes of packets that wait in line, as in a router: half a second's worth, and 20 full packets at least.
  let queue: Int
  let shared: SharedBucket?
  private var own = TokenBucket()

  init(_ bandwidth: Bandwidth, shared: SharedBucket?) {
    rate = max(0, bandwidth.rate)
    self.shared = shared
    burst = bandwidth.burst.map { TokenBucket.duration(of: $0, at: bandwidth.rate) } ?? LinkTime.burst
    queue = max(30_000, TokenBucket.bytes(in: 500_000_000, at: bandwidth.rate))
    piece = TokenBucket.bytes(in: shared == nil ? 5_000_000 : 2_000_000, at: bandwidth.rate)
  }

  /// Goes on with the schedule of another.
  mutating func take(over other: RateLimit) { own = other.own }

  /// Takes a place in the schedule for bytes, and says when they are through.
  mutating func reserve(_ bytes: Int, arrival: Int64, now: Int64) -> Int64 {
    guard rate > 0 else { return LinkTime.never }
    if let shared { return shared.reserve(bytes, rate: rate, burst: burst, arrival: arrival, now: now) }
    return own.reserve(bytes, rate: rate, burst: burst, arrival: arrival, now: now)
  }
}
