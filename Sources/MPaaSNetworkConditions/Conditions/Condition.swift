/// The faults of one direction of a network.
public enum Condition: Sendable, Hashable {
  /// Nothing is wrong: toxiproxy's toxic that changes nothing.
  case noop
  /// Bytes and packets come later.
  case latency(Latency)
  /// Only so many bits pass in a second.
  case bandwidth(Bandwidth)
  /// Packets are lost.
  case loss(Loss)
  /// Bits of packets are flipped.
  case corruption(Corruption)
  /// Packets come twice.
  case duplicate(Duplicate)
  /// Packets overtake others.
  case reorder(Reorder)
  /// A stream comes in small pieces.
  case slicer(Slicer)
  /// The connection is closed after so many bytes.
  case limitData(LimitData)
  /// The end of a stream comes later than its last byte.
  case slowClose(SlowClose)
  /// Nothing passes, and after a while the connection is closed.
  case timeout(Timeout)
  /// The connection is reset.
  case resetPeer(ResetPeer)
  /// Nothing passes in this direction and the ends are not told.
  case blackout
  /// No network: connections that stand are reset, new ones refused, datagrams and names lost.
  case flightMode
  /// Replies of HTTP wait.
  case httpDelay(HTTPDelay)
  /// The proxy answers requests of HTTP with an error.
  case httpError(HTTPFailure)
  /// The heads of HTTP replies come a line at a time.
  case httpSlowHeaders(HTTPSlowHeaders)
  /// The bodies of HTTP replies end early.
  case httpTruncatedBody(HTTPTruncatedBody)
  /// Answers to names wait.
  case dnsDelay(DNSDelay)
  /// Names are not found.
  case dnsFailure(DNSFailure)

  /// The type of a toxic, as the API writes it.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case noop, latency, bandwidth, loss, corruption, duplicate, reorder, slicer, timeout, blackout
    case limitData = "limit_data"
    case slowClose = "slow_close"
    case resetPeer = "reset_peer"
    case flightMode = "flight_mode"
    case httpDelay = "http_delay"
    case httpError = "http_error"
    case httpSlowHeaders = "http_slow_headers"
    case httpTruncatedBody = "http_truncated_body"
    case dnsDelay = "dns_delay"
    case dnsFailure = "dns_failure"
  }

  /// The type of the condition.
  public var kind: Kind {
    switch self {
    case .noop: .noop
    case .latency: .latency
    case .bandwidth: .bandwidth
    case .loss: .loss
    case .corruption: .corruption
    case .duplicate: .duplicate
    case .reorder: .reorder
    case .slicer: .slicer
    case .limitData: .limitData
    case .slowClose: .slowClose
    case .timeout: .timeout
    case .resetPeer: .resetPeer
    case .blackout: .blackout
    case .flightMode: .flightMode
    case .httpDelay: .httpDelay
    case .httpError: .httpError
    case .httpSlowHeaders: .httpSlowHeaders
    case .httpTruncatedBody: .httpTruncatedBody
    case .dnsDelay: .dnsDelay
    case .dnsFailure: .dnsFailure
    }
  }
}

/// Every byte or packet comes later.
public struct Latency: Sendable, Hashable {
  /// The distribution of delays around their mean.
  public enum Distribution: String, Sendable, Hashable, CaseIterable {
    /// Evenly in `delay ± jitter`, as toxiproxy and netem without a table.
    case uniform
    /// Normally, with `jitter` as standard deviation.
    case normal
    /// With the long tail of a Pareto distribution.
    case pareto
    /// A quarter normal and three quarters Pareto, as netem's table of that name.
    case paretonormal
  }

  /// The mean delay.
  public var delay: Duration
  /// The spread of the delays around their mean; zero for equal delays.
  public var jitter: Duration
  /// The distribution of the delays; uniform unless set.
  public var distribution: Distribution
  /// The likeness of each delay to the one before, 0 to 1.
  public var correlation: Double

  /// Makes a latency of one delay for all, unless a jitter is given.
  public init(
    _ delay: Duration, jitter: Duration = .zero, distribution: Distribution = .uniform, correlation: Double = 0
  ) {
    self.delay = delay
    self.jitter = jitter
    self.distribution = distribution
    self.correlation = correlation
  }
}

/// Only so much passes in a second.
public struct Bandwidth: Sendable, Hashable {
  /// Bits a second; 0 lets nothing pass.
  public var rate: Int64
  /// Bytes that may pass at once after a pause; nil takes what 10 ms of the rate carry.
  public var burst: Int?
  /// Tells whether all connections of the proxy share the rate; else each has it for itself, as in toxiproxy.
  public var isShared: Bool

  /// Makes a limit of so many bits a second, for each connection unless it is shared.
  public init(bitsPerSecond rate: Int64, burst: Int? = nil, isShared: Bool = false) {
    self.rate = rate
    self.burst = burst
    self.isShared = isShared
  }
}

/// Packets are lost; a TCP stream stalls as its sender waits to send them again.
public struct Loss: Sendable, Hashable {
  /// The share that is lost in the long run, 0 to 1.
  public var probability: Double
  /// The mean number of packets lost in a row (Gilbert's model); 1 for independent losses.
  public var meanBurst: Double
  /// The stall of a stream for a lost segment; nil takes 200 ms, the least retransmission time-out of Linux, doubled
  /// for each further loss in a row.
  public var stall: Duration?

  /// Makes a loss of a share of the packets, 0 to 1, independent of each other unless a burst is given.
  public init(_ probability: Double, meanBurst: Double = 1, stall: Duration? = nil) {
    self.probability = probability
    self.meanBurst = meanBurst
    self.stall = stall
  }
}

/// Bits of packets are flipped; a TCP stream takes it as loss, since its checksum finds it, unless `inStreams`.
public struct Corruption: Sendable, Hashable {
  /// The share of packets that have a flipped bit, 0 to 1.
  public var probability: Double
  /// Tells whether bytes of streams are really changed.
  public var inStreams: Bool

  /// Makes a corruption of a share of the packets, 0 to 1.
  public init(_ probability: Double, inStreams: Bool = false) {
    self.probability = probability
    self.inStreams = inStreams
  }
}

/// Packets come twice; a stream does not show it.
public struct Duplicate: Sendable, Hashable {
  /// The share of packets that come twice, 0 to 1.
  public var probability: Double
  /// Makes a duplication of a share of the packets, 0 to 1.
  public init(_ probability: Double) { self.probability = probability }
}

/// Packets overtake others; a stream shows it as a short stall.
public struct Reorder: Sendable, Hashable {
  /// The share of packets that overtake others, 0 to 1.
  public var probability: Double
  /// The delay of the packets that are overtaken; others are not delayed.
  public var delay: Duration

  /// Makes a reordering of a share of the packets, 0 to 1.
  public init(_ probability: Double, delay: Duration = .milliseconds(10)) {
    self.probability = probability
    self.delay = delay
  }
}

/// A stream comes in small pieces.
public struct Slicer: Sendable, Hashable {
  /// Bytes in a piece on average; 0 cuts nothing.
  public var averageSize: Int
  /// The greatest distance of the size from the average, less than it.
  public var sizeVariation: Int
  /// The time between pieces.
  public var delay: Duration

  /// Makes a slicer of pieces of so many bytes, all of one size and without pauses unless told otherwise.
  public init(averageSize: Int, sizeVariation: Int = 0, delay: Duration = .zero) {
    self.averageSize = averageSize
    self.sizeVariation = sizeVariation
    self.delay = delay
  }
}

/// The connection is closed after so many bytes.
public struct LimitData: Sendable, Hashable {
  /// The bytes that pass before the connection is closed.
  public var bytes: Int64
  /// Makes a limit of so many bytes.
  public init(bytes: Int64) { self.bytes = bytes }
}

/// The end of a stream comes later than its last byte.
public struct SlowClose: Sendable, Hashable {
  /// The time between the last byte and the end of the stream.
  public var delay: Duration
  /// Makes a slow close that delays the end of streams.
  public init(_ delay: Duration) { self.delay = delay }
}

/// Nothing passes, and after a while the connection is closed.
public struct Timeout: Sendable, Hashable {
  /// The time of closing; zero never closes, until the toxic is removed.
  public var timeout: Duration
  /// Makes a time-out after which connections are closed; zero never closes them.
  public init(_ timeout: Duration) { self.timeout = timeout }
}

/// The connection is reset.
public struct ResetPeer: Sendable, Hashable {
  /// The time after the first data that comes in this direction; that data and what follows it does not pass.
  public var timeout: Duration
  /// Makes a reset so long after the first data; at once unless a time is given.
  public init(_ timeout: Duration = .zero) { self.timeout = timeout }
}
