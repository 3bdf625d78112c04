import MPaaSLock

/// The numbers of calls by operation: how many, how long, how they ended.
///
/// ```swift
/// let metrics = RPCMetrics()
/// parts.observers.append(metrics.observe)
/// ```
public final class RPCMetrics: Sendable {
  private let operations = Lock<[String: RPCOperationMetrics]>([:])
  private static let greatestCount = 1000

  /// Creates metrics without a call.
  public init() {}

  /// Counts a call.
  @Sendable public func observe(_ span: RPCSpan) {
    operations.withLock { operations in
      // Names that requests make up must not fill the memory.
      let isRoom = operations.count < Self.greatestCount || operations[span.operation] != nil
      operations[isRoom ? span.operation : "…", default: RPCOperationMetrics()].add(span)
    }
  }

  /// The numbers until now, by operation.
  public var snapshot: [String: RPCOperationMetrics] { operations.withLock { $0 } }

  /// Sets all numbers back, and returns them.
  public func reset() -> [String: RPCOperationMetrics] {
    operations.withLock { operations in
      defer { operations = [:] }
      return operations
    }
  }
}

/// The numbers of an operation.
public struct RPCOperationMetrics: Sendable, Equatable {
  /// The calls that ended.
  public private(set) var calls = 0
  /// The calls that failed, by the word of their error; those of the gateway with its code: `rpc-result:1002`.
  public private(set) var errors: [String: Int] = [:]
  /// The requests that were sent beyond the first of each call.
  public private(set) var retries = 0
  /// The calls with a second request beside a slow one.
  public private(set) var hedged = 0
  /// The calls that were answered from the cache without asking, or with a server's word that nothing changed.
  public private(set) var cached = 0
  /// The calls that an equal one brought the answer of.
  public private(set) var shared = 0
  /// The bytes of contents that were sent.
  public private(set) var sentBytes = 0
  /// The bytes of contents that came.
  public private(set) var receivedBytes = 0
  /// The times that calls took.
  public private(set) var latency = RPCHistogram()

  /// Creates numbers without a call.
  public init() {}

  /// The calls that failed.
  public var failures: Int { errors.values.reduce(0, +) }

  mutating func add(_ span: RPCSpan) {
    calls += 1
    if let error = span.error {
      let code = error == RPCError.Code.gateway.id ? span.resultCode.map { ":\($0)" } ?? "" : ""
      errors[error + code, default: 0] += 1
    }
    retries += max(span.attempts - 1 - (span.isHedged ? 1 : 0), 0)
    if span.isHedged { hedged += 1 }
    if [.cache, .stale, .validated].contains(span.source), span.error == nil { cached += 1 }
    if span.source == .shared, span.error == nil { shared += 1 }
    sentBytes += span.sentBytes
    receivedBytes += span.receivedBytes
    latency.add(span.duration)
  }
}

/// Lengths of time in classes, each a twelfth part longer than the one before, so that percentiles are right to 4 %.
public struct RPCHistogram: Sendable, Equatable {
  private var counts: [Int: Int] = [:]
  /// The number of lengths.
  public private(set) var count = 0
  /// The longest.
  public private(set) var longest = TimeSpan.zero
  private var sum = TimeSpan.zero

  /// Creates a histogram of nothing.
  public init() {}

  /// Eight classes between a power of two and the next.
  private static let parts = 8

  mutating func add(_ span: TimeSpan) {
    counts[Self.index(span), default: 0] += 1
    count += 1
    longest = max(longest, span)
    sum = sum + span
  }

  /// The mean; zero where there is none.
  public var mean: TimeSpan { count > 0 ? sum / count : .zero }

  /// The length that a share of all do not exceed; zero where there is none.
  public func percentile(_ share: Double) -> TimeSpan {
    guard count > 0 else { return .zero }
    let rank = min(max(Int((share * Double(count)).rounded(.up)), 1), count)
    var passed = 0
    for index in counts.keys.sorted() {
      passed += counts[index] ?? 0
      if passed >= rank { return min(Self.middle(index), longest) }
    }
    return longest
  }

  private static func index(_ span: TimeSpan) -> Int {
    let value = UInt64(max(span.nanoseconds, 1))
    let power = 63 - value.leadingZeroBitCount
    guard power >= 3 else { return Int(value) }
    return power * parts + Int(value >> UInt64(power - 3) & 7)
  }

  private static func middle(_ index: Int) -> TimeSpan {
    let power = index / parts
    guard power >= 3 else { return .nanoseconds(index) }
    let unit = UInt64(1) << UInt64(power - 3)
    return .nanoseconds((UInt64(8 + index % parts)) * unit + unit / 2)
  }
}
