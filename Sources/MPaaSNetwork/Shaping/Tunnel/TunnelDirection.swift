import MPaaSRandom
package import NIOCore

/// One direction of a tunnel: the packets that come, under the conditions that touch their flows.
///
/// Toxics of a toxicity below 1 touch some flows only; flows that are touched by the same toxics share a shaper.
package struct TunnelDirection {
  private struct Held {
    var shaper: PacketShaper
    var due: NIODeadline?
  }

  private let seed: UInt64
  private var toxics: [Toxic] = []
  private var shapers: [UInt64: Held] = [:]
  private(set) var traffic = ProxyStatistics.Traffic()
  private var buckets: [SharedBucket] = []

  package init(seed: UInt64) {
    self.seed = seed
  }

  /// Tells whether flows differ in what touches them.
  private var isSelective: Bool { toxics.contains { $0.toxicity < 1 } }

  package mutating func change(to toxics: [Toxic], at now: NIODeadline) {
    self.toxics = Array(toxics.prefix(64))
    // Flows with shapers of their own still share the link.
    buckets = isSelective ? self.toxics.map { _ in SharedBucket() } : []
    for mask in shapers.keys {
      let plan = plan(mask)
      shapers[mask]?.shaper.change(to: plan, at: now)
      shapers[mask]?.due = now
    }
  }

  package mutating func receive(_ packet: ByteBuffer, at now: NIODeadline) {
    traffic.received += Int64(packet.readableBytes)
    traffic.datagrams += 1
    let mask = isSelective ? mask(of: IPPacket(packet).flow) : .max
    if shapers[mask] == nil {
      shapers[mask] = Held(shaper: PacketShaper(plan(mask), at: now), due: nil)
    }
    shapers[mask]?.shaper.receive(packet, at: now)
    shapers[mask]?.due = now
  }

  /// Counts a packet that goes nowhere.
  package mutating func refuse(_ packet: ByteBuffer) {
    traffic.received += Int64(packet.readableBytes)
    traffic.datagrams += 1
    traffic.lost += 1
  }

  /// Emits the packets that are due.
  ///
  /// - Returns: When there is more to do.
  package mutating func advance(to now: NIODeadline, emit: (ByteBuffer) -> Void) -> NIODeadline? {
    var next: NIODeadline?
    var sent: Int64 = 0
    for mask in shapers.keys {
      guard let due = shapers[mask]?.due else { continue }
      guard due <= now else {
        next = earliest(next, due)
        continue
      }
      let later = shapers[mask]?.shaper.advance(to: now) { packet in
        sent += Int64(packet.readableBytes)
        emit(packet)
      }
      shapers[mask]?.due = later ?? nil
      next = earliest(next, later ?? nil)
    }
    traffic.sent += sent
    return next
  }

  /// The counts until now, with what it holds.
  package var statistics: ProxyStatistics.Traffic {
    var result = traffic
    for held in shapers.values {
      result.held += held.shaper.buffered
      result.lost += held.shaper.lost
    }
    return result
  }

  private func earliest(_ one: NIODeadline?, _ other: NIODeadline?) -> NIODeadline? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// Bit i: whether the i-th toxic touches the flow; drawn by the seed, so that the same flow is touched again.
  private func mask(of flow: UInt64) -> UInt64 {
    var mask: UInt64 = 0
    for (index, toxic) in toxics.enumerated() {
      let drawn =
        Double(SplitMix64.mixed(flow ^ SplitMix64.mixed(seed &+ UInt64(index))) >> 11) / Double(UInt64(1) << 53)
      if toxic.toxicity >= 1 || drawn < toxic.toxicity { mask |= 1 << UInt64(index) }
    }
    return mask
  }

  private func plan(_ mask: UInt64) -> LinkPlan {
    let touching = toxics.indices.filter { mask >> UInt64($0) & 1 == 1 }
    var shared: [Int: SharedBucket] = [:]
    if isSelective {
      for (place, index) in touching.enumerated() where toxics[index].condition.kind == .bandwidth {
        shared[place] = buckets[index]
      }
    }
    return LinkPlan(
      conditions: touching.map { toxics[$0].condition }, seed: SplitMix64.mixed(seed ^ SplitMix64.mixed(mask)),
      shared: shared,
      names: touching.map { toxics[$0].name })
  }
}
