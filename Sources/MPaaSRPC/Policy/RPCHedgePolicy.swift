import MPaaSLock

/// The second request that is sent beside a slow one, where the call may be repeated; the first answer counts.
public struct RPCHedgePolicy: Sendable, Hashable {
  /// The share of calls that are answered earlier than the second request is sent: 0.95.
  public var percentile: Double
  /// The number of answers that must have been seen before.
  public var leastSamples: Int
  /// The earliest that a second request is sent.
  public var leastDelay: TimeSpan

  /// Creates a policy.
  public init(percentile: Double = 0.95, leastSamples: Int = 20, leastDelay: TimeSpan = .milliseconds(10)) {
    self.percentile = percentile
    self.leastSamples = leastSamples
    self.leastDelay = leastDelay
  }
}

/// The times that the last calls of an operation took.
struct LatencyWindow: Sendable {
  private var samples: [TimeSpan] = []
  private var next = 0
  private static let size = 128

  mutating func add(_ sample: TimeSpan) {
    if samples.count < Self.size { samples.append(sample) } else { samples[next] = sample }
    next = (next + 1) % Self.size
  }

  /// The time after which a second request is sent; nil where too little is known.
  func delay(_ policy: RPCHedgePolicy) -> TimeSpan? {
    guard samples.count >= max(policy.leastSamples, 1) else { return nil }
    let rank = Int((Double(samples.count) * min(max(policy.percentile, 0), 1)).rounded(.up))
    return max(samples.sorted()[min(max(rank - 1, 0), samples.count - 1)], policy.leastDelay)
  }
}

/// The windows of all operations, the most used of them.
final class LatencyTable: Sendable {
  private let windows = Lock<[String: LatencyWindow]>([:])
  private static let greatestCount = 512

  func add(_ sample: TimeSpan, of operation: String) {
    windows.withLock { windows in
      // Names that requests make up must not fill the memory.
      if windows.count >= Self.greatestCount, windows[operation] == nil { windows.removeAll() }
      windows[operation, default: LatencyWindow()].add(sample)
    }
  }

  func delay(_ policy: RPCHedgePolicy, of operation: String) -> TimeSpan? {
    windows.withLock { $0[operation]?.delay(policy) }
  }
}
