import MPaaSSupport

/// The demands of one direction's conditions on a queue of the kernel.
struct LinkDemand: Equatable {
  /// Bits a second and bytes at once; nil without a limit.
  var rate: (bits: Int64, burst: Int?)?
  /// Nothing passes.
  var isClosed = false
  /// The words of netem, empty where it is not needed.
  var netem: [String] = []
  /// The longest that a packet is held by a delay.
  var delay = Duration.zero
  /// Those that netem makes, by kind.
  var netemKinds: [Condition.Kind] = []
  /// Those that no queue can make.
  var impossible: [Condition.Kind] = []

  static func == (one: LinkDemand, other: LinkDemand) -> Bool {
    one.rate?.bits == other.rate?.bits && one.rate?.burst == other.rate?.burst && one.isClosed == other.isClosed
      && one.netem == other.netem && one.delay == other.delay && one.impossible == other.impossible
  }

  init(_ conditions: [Condition]) {
    var latencies: [Latency] = []
    var reorder: Reorder?
    for condition in conditions {
      switch condition {
      case .noop: break
      case .latency(let latency): latencies.append(latency)
      case .bandwidth(let bandwidth) where bandwidth.rate <= 0: isClosed = true
      case .bandwidth(let bandwidth):
        if bandwidth.rate < rate?.bits ?? .max { rate = (bandwidth.rate, bandwidth.burst) }
      case .blackout, .flightMode: isClosed = true
      case .timeout(let timeout):
        isClosed = true
        if timeout.timeout > .zero { impossible.append(condition.kind) }
      case .loss(let loss): netem += Self.words(loss)
      case .corruption(let corruption): netem += ["corrupt", Self.percent(corruption.probability)]
      case .duplicate(let duplicate): netem += ["duplicate", Self.percent(duplicate.probability)]
      case .reorder(let value): reorder = value
      case .slicer, .limitData, .slowClose, .resetPeer, .httpDelay, .httpError, .httpSlowHeaders, .httpTruncatedBody,
        .dnsDelay, .dnsFailure:
        impossible.append(condition.kind)
      }
      if [.loss, .corruption, .duplicate].contains(condition.kind) { netemKinds.append(condition.kind) }
    }
    addDelay(latencies, reorder)
  }

  /// Delay comes first among netem's words; one queue has one delay, so that several add up.
  private mutating func addDelay(_ latencies: [Latency], _ reorder: Reorder?) {
    if let first = latencies.first {
      let mean = latencies.reduce(Duration.zero) { $0 + $1.delay }
      let jitter = latencies.reduce(Duration.zero) { $0 + $1.jitter }
      var words = ["delay", Self.time(mean)]
      if jitter > .zero {
        words.append(Self.time(jitter))
        if first.correlation > 0 { words.append(Self.percent(first.correlation)) }
        if first.distribution != .uniform { words += ["distribution", first.distribution.rawValue] }
      }
      netem = words + netem
      delay = mean + jitter
      netemKinds.append(.latency)
      if reorder != nil { impossible.append(.reorder) }
    } else if let reorder {
      // netem delays all but a share, which overtakes the rest.
      netem = ["delay", Self.time(reorder.delay), "reorder", Self.percent(1 - reorder.probability)] + netem
      delay = reorder.delay
      netemKinds.append(.reorder)
    }
  }

  private static func words(_ loss: Loss) -> [String] {
    guard loss.meanBurst > 1, loss.probability < 1 else { return ["loss", "random", percent(loss.probability)] }
    // Gilbert: from the bad state one goes back with 1/burst, so that the share of bad ones comes out.
    let back = 1 / loss.meanBurst
    let forth = min(1, back * loss.probability / (1 - loss.probability))
    return ["loss", "gemodel", percent(forth), percent(back)]
  }

  /// With as many digits as tc tells apart.
  static func percent(_ share: Double) -> String {
    let millionths = Int((min(max(share, 0), 1) * 1e8).rounded())
    let (whole, rest) = (millionths / 1_000_000, millionths % 1_000_000)
    guard rest > 0 else { return "\(whole)%" }
    var digits = rest.padded(to: 6)
    while digits.hasSuffix("0") { digits.removeLast() }
    return "\(whole).\(digits)%"
  }

  static func time(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return "\(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)us"
  }
}
