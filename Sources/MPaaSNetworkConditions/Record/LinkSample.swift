/// The result of one look at a real network.
package struct LinkSample: Sendable, Hashable {
  /// Seconds; only differences count.
  package var time: Double
  /// The round-trip time of a packet.
  package var roundTrip: Duration?
  /// Packets that were sent on the way there and back, and how many of those were lost.
  package var sent: Int
  package var lost: Int
  /// Bits a second that came and went.
  package var downRate: Double?
  package var upRate: Double?
  /// The kind of network where somebody knew, such as `none`, `3g` or `wifi`.
  package var network: String?

  package init(
    time: Double, roundTrip: Duration? = nil, sent: Int = 0, lost: Int = 0, downRate: Double? = nil,
    upRate: Double? = nil, network: String? = nil
  ) {
    self.time = time
    self.roundTrip = roundTrip
    self.sent = sent
    self.lost = lost
    self.downRate = downRate
    self.upRate = upRate
    self.network = network
  }
}
