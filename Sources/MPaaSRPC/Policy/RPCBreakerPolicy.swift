import MPaaSLock

/// The rule by which a gateway that fails is left alone for a while.
public struct RPCBreakerPolicy: Sendable, Hashable {
  /// The share of failures that opens the circuit.
  public var failureShare: Double
  /// The least number of calls within the window before it can open.
  public var leastCalls: Int
  /// The time over which calls are counted.
  public var window: TimeSpan
  /// The time after which one call tries whether the gateway is well again.
  public var rest: TimeSpan

  /// Creates a policy.
  public init(
    failureShare: Double = 0.5, leastCalls: Int = 20, window: TimeSpan = .seconds(10), rest: TimeSpan = .seconds(5)
  ) {
    self.failureShare = failureShare
    self.leastCalls = leastCalls
    self.window = window
    self.rest = rest
  }
}

/// The circuit to one host: closed while calls succeed, open after too many failures, half open while one tries.
struct CircuitBreaker: Sendable {
  enum State: Sendable, Equatable {
    case closed
    case open(until: TimeSpan)
    case halfOpen
  }

  private(set) var state = State.closed
  private var windowStart = TimeSpan.zero
  private var calls = 0
  private var failures = 0

  /// Lets a call through, or says how long none goes.
  ///
  /// - Parameter now: The time since a fixed moment.
  mutating func admit(_ policy: RPCBreakerPolicy, at now: TimeSpan) -> TimeSpan? {
    switch state {
    case .closed: return nil
    case .open(let until) where now < until: return until - now
    case .open:
      state = .halfOpen
      return nil
    case .halfOpen: return policy.rest
    }
  }

  mutating func succeeded(_ policy: RPCBreakerPolicy, at now: TimeSpan) {
    if state != .closed { (state, calls, failures, windowStart) = (.closed, 0, 0, now) }
    count(policy, at: now)
  }

  mutating func failed(_ policy: RPCBreakerPolicy, at now: TimeSpan) {
    if state == .halfOpen { return state = .open(until: now + policy.rest) }
    count(policy, at: now)
    failures += 1
    if state == .closed, calls >= policy.leastCalls, Double(failures) >= policy.failureShare * Double(calls) {
      state = .open(until: now + policy.rest)
    }
  }

  /// Takes back the right to try, where the call ended without a word on the gateway.
  mutating func abandoned(at now: TimeSpan) {
    if state == .halfOpen { state = .open(until: now) }
  }

  private mutating func count(_ policy: RPCBreakerPolicy, at now: TimeSpan) {
    if now - windowStart > policy.window { (windowStart, calls, failures) = (now, 0, 0) }
    calls += 1
  }
}

/// The circuits to all hosts.
final class CircuitTable: Sendable {
  private let circuits = Lock<[String: CircuitBreaker]>([:])

  func admit(_ host: String, _ policy: RPCBreakerPolicy, at now: TimeSpan) -> TimeSpan? {
    circuits.withLock { $0[host, default: CircuitBreaker()].admit(policy, at: now) }
  }

  /// Counts the end of a call.
  ///
  /// A refusal with a reason counts as a success: the gateway is there. A call that was canceled says nothing.
  func count(_ error: RPCError?, _ host: String, _ policy: RPCBreakerPolicy, at now: TimeSpan) {
    circuits.withLock { circuits in
      switch error?.code {
      case .cancelled: circuits[host]?.abandoned(at: now)
      case .unreachable, .timedOut, .failed: circuits[host, default: CircuitBreaker()].failed(policy, at: now)
      default: circuits[host, default: CircuitBreaker()].succeeded(policy, at: now)
      }
    }
  }
}
