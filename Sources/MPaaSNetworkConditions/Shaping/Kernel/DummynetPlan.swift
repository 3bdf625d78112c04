import MPaaSSupport

/// The commands that shape an interface of macOS by dummynet and pf, and what of the conditions they leave out.
package struct DummynetPlan: Sendable, Hashable {
  package let interface: String
  package private(set) var steps: [ReversibleCommand] = []
  package private(set) var gaps: [ShapePlan.Gap] = []
  /// The rules for pf.
  package private(set) var rules: [String] = []

  /// pf's anchor; macOS hooks all under `com.apple` into its rules.
  package static let anchor = "com.apple/mpaas"
  private static let pipes: [Direction: Int] = [.upstream: 19_792, .downstream: 19_793]

  package init(interface: String, upstream: [Condition], downstream: [Condition]) {
    self.interface = interface
    add(upstream, .upstream, "out")
    add(downstream, .downstream, "in")
  }

  package var isEmpty: Bool { steps.isEmpty }
  /// In the order in which they undo; the rules go first, since packets must not be led to a pipe that is gone.
  package var undo: [SystemCommand] {
    isEmpty ? [] : [SystemCommand("pfctl -a \(Self.anchor) -F all")] + steps.flatMap(\.undo)
  }

  private mutating func add(_ conditions: [Condition], _ direction: Direction, _ way: String) {
    var words: [String] = []
    var rate: Int64?
    var delay = Duration.zero
    var kept = 1.0
    for condition in conditions {
      switch condition {
      case .bandwidth(let bandwidth) where bandwidth.rate > 0: rate = min(rate ?? .max, bandwidth.rate)
      case .latency(let latency) where latency.jitter == .zero: delay += latency.delay
      case .loss(let loss) where loss.meanBurst <= 1: kept *= 1 - loss.probability
      case .blackout, .flightMode, .bandwidth: kept = 0
      default: gaps.append(ShapePlan.Gap(direction: direction, condition: condition.kind, reason: .notPackets))
      }
    }
    if let rate { words += ["bw", "\(rate)bit/s"] }
    let (seconds, attoseconds) = delay.components
    if delay > .zero { words += ["delay", "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000)"] }
    if kept < 1 { words += ["plr", "\(1 - kept)"] }
    guard !words.isEmpty, let pipe = Self.pipes[direction] else { return }
    steps.append(
      ReversibleCommand(
        SystemCommand(["dnctl", "pipe", "\(pipe)", "config"] + words),
        undo: [SystemCommand("dnctl pipe \(pipe) delete")]))
    rules.append("dummynet \(way) quick on \(interface) all pipe \(pipe)")
  }
}
