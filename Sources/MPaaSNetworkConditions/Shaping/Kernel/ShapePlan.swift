import MPaaSSupport

/// The commands that shape an interface of Linux, how they are undone, and what of the conditions they leave out.
package struct ShapePlan: Sendable, Hashable {
  /// A condition that the plan leaves out.
  package struct Gap: Sendable, Hashable {
    package enum Reason: String, Sendable, Hashable {
      /// The kernel lacks netem.
      case noNetem = "no-netem"
      /// The kernel has no discipline that limits a rate.
      case noRate = "no-rate"
      /// The kernel cannot lead what comes in to another device.
      case noRedirection = "no-redirection"
      /// It is about streams, requests or names, not packets.
      case notPackets = "not-packets"
      /// netem does not reorder what it delays.
      case notWithLatency = "not-with-latency"
    }

    package let direction: Direction
    package let condition: Condition.Kind
    package let reason: Reason
  }

  package let interface: String
  package private(set) var steps: [ReversibleCommand] = []
  package private(set) var gaps: [Gap] = []

  /// - Parameters:
  ///   - upstream: For what leaves the interface.
  ///   - downstream: For what comes in.
  ///   - device: The intermediate device that incoming packets are led through.
  package init(
    interface: String, upstream: [Condition], downstream: [Condition], features: ShapingFeatures, device: String
  ) {
    self.interface = interface
    let leaving = queue(LinkDemand(upstream), .upstream, on: interface, features)
    if !leaving.isEmpty {
      steps.append(
        ReversibleCommand(leaving[0], undo: [SystemCommand("tc qdisc del dev \(interface) root")]))
      steps += leaving.dropFirst().map { ReversibleCommand($0) }
    }
    addDownstream(LinkDemand(downstream), features, device)
  }

  /// Nothing of it can be made.
  package var isEmpty: Bool { steps.isEmpty }
  package var commands: [SystemCommand] { steps.map(\.command) }
  /// In the order in which they undo.
  package var undo: [SystemCommand] { steps.reversed().flatMap(\.undo) }

  private mutating func addDownstream(_ demand: LinkDemand, _ features: ShapingFeatures, _ device: String) {
    guard let classifier = features.redirection else {
      let wanted = demand.netemKinds + (demand.rate == nil ? [] : [.bandwidth]) + (demand.isClosed ? [.blackout] : [])
      note(demand.impossible, .downstream)
      gaps += wanted.map { Gap(direction: .downstream, condition: $0, reason: .noRedirection) }
      return
    }
    let coming = queue(demand, .downstream, on: device, features)
    guard !coming.isEmpty else { return }
    let match = classifier == .matchall ? "matchall" : "u32 match u32 0 0"
    steps += [
      ReversibleCommand("ip link add \(device) type ifb", undo: "ip link del \(device)"),
      ReversibleCommand("ip link set \(device) up"),
    ]
    steps += coming.map { ReversibleCommand($0) }
    steps += [
      ReversibleCommand(
        "tc qdisc add dev \(interface) handle ffff: ingress", undo: "tc qdisc del dev \(interface) ingress"),
      ReversibleCommand(
        "tc filter add dev \(interface) parent ffff: protocol all prio 1 \(match) "
          + "action mirred egress redirect dev \(device)"),
    ]
  }

  private mutating func note(_ impossible: [Condition.Kind], _ direction: Direction) {
    gaps += impossible.map {
      Gap(direction: direction, condition: $0, reason: $0 == .reorder ? .notWithLatency : .notPackets)
    }
  }

  /// The commands that put a device's queue under a demand.
  private mutating func queue(
    _ demand: LinkDemand, _ direction: Direction, on device: String, _ features: ShapingFeatures
  ) -> [SystemCommand] {
    note(demand.impossible, direction)
    func gap(_ kinds: [Condition.Kind], _ reason: Gap.Reason) -> [Gap] {
      kinds.map { Gap(direction: direction, condition: $0, reason: reason) }
    }
    let root = "tc qdisc replace dev \(device) root handle \(Self.handle):"
    if demand.isClosed {
      if features.queues.contains(.blackhole) { return [SystemCommand("\(root) blackhole")] }
      if features.queues.contains(.netem) { return [SystemCommand("\(root) netem loss 100%")] }
      gaps += gap([.blackout], .noNetem)
      return []
    }
    var netem = demand.netem
    if !netem.isEmpty, !features.queues.contains(.netem) {
      gaps += gap(demand.netemKinds, .noNetem)
      netem = []
    }
    let delayed = netem.isEmpty ? "" : "netem limit \(demand.packets) " + netem.joined(separator: " ")
    guard let rate = demand.rate else { return netem.isEmpty ? [] : [SystemCommand("\(root) \(delayed)")] }
    let burst = rate.burst ?? max(Int(rate.bits / 8 / 50), 3200)
    if netem.isEmpty, features.queues.contains(.tbf) {
      return [SystemCommand("\(root) tbf rate \(rate.bits)bit burst \(burst) latency 300ms")]
    }
    if features.queues.contains(.htb) {
      let limited = [
        SystemCommand("\(root) htb default 1"),
        SystemCommand(
          "tc class add dev \(device) parent \(Self.handle): classid \(Self.handle):1 htb "
            + "rate \(rate.bits)bit burst \(burst) cburst \(burst)"),
      ]
      let inner = "tc qdisc add dev \(device) parent \(Self.handle):1 handle \(Self.innerHandle):"
      return limited + (netem.isEmpty ? [] : [SystemCommand("\(inner) \(delayed)")])
    }
    if !netem.isEmpty { return [SystemCommand("\(root) \(delayed) rate \(rate.bits)bit")] }
    gaps += gap([.bandwidth], .noRate)
    return []
  }

  /// Ours: "MP" and "MQ" in ASCII, so that a look at `tc qdisc` tells whose it is.
  package static let handle = "4d50"
  private static let innerHandle = "4d51"
}

extension LinkDemand {
  /// Packets that netem must be able to hold: twice those that are on the way at once, at 1 Gbit/s where no rate is given.
  fileprivate var packets: Int {
    let (seconds, attoseconds) = delay.components
    let time = Double(seconds) + Double(attoseconds) / 1e18
    return min(max(1000, Int(time * Double(rate?.bits ?? 1_000_000_000) / 12_000 * 2)), 1_000_000)
  }
}
