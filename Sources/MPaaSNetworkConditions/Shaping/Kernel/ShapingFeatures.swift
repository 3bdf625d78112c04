import MPaaSSupport
package import MPaaSToolSupport

/// The traffic control of a kernel, as far as shaping needs it.
package struct ShapingFeatures: Sendable, Hashable {
  /// Queueing disciplines that delay, limit or drop what leaves an interface.
  package enum Queue: String, Sendable, Hashable, CaseIterable {
    /// Delay, loss, corruption, duplicates, reordering and rate.
    case netem
    /// Rate only.
    case tbf
    /// Rate, with another discipline inside.
    case htb
    /// Nothing passes.
    case blackhole
  }

  /// The way in which incoming packets are led to another interface.
  package enum Classifier: String, Sendable, Hashable, CaseIterable {
    case matchall, u32
  }

  package var queues: Set<Queue>
  /// Incoming packets are shaped as they leave an intermediate device; nil where that cannot be had.
  package var redirection: Classifier?

  package init(queues: Set<Queue>, redirection: Classifier?) {
    self.queues = queues
    self.redirection = redirection
  }

  package static let all = ShapingFeatures(queues: Set(Queue.allCases), redirection: .matchall)

  /// Tries each in the network namespace of the calling thread, which must be one that no other thread uses.
  package static func probed(by processes: ProcessRunner) -> ShapingFeatures {
    func works(_ command: String) -> Bool { processes.attempt(SystemCommand(command)).status == 0 }
    var features = ShapingFeatures(queues: [], redirection: nil)
    for (queue, words) in [
      (Queue.netem, "netem delay 1ms"), (.tbf, "tbf rate 1mbit burst 10000 latency 50ms"), (.htb, "htb default 1"),
      (.blackhole, "blackhole"),
    ] where works("tc qdisc replace dev lo root \(words)") { features.queues.insert(queue) }
    let incoming = "tc filter add dev lo parent ffff: protocol all prio"
    let redirect = "action mirred egress redirect dev ifbprobe"
    if works("ip link add ifbprobe type ifb"), works("tc qdisc add dev lo handle ffff: ingress") {
      if works("\(incoming) 1 matchall \(redirect)") {
        features.redirection = .matchall
      } else if works("\(incoming) 2 u32 match u32 0 0 \(redirect)") {
        features.redirection = .u32
      }
    }
    return features
  }
}
