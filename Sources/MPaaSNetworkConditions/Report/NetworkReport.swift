/// The content of a journal: what was applied when, what passed, how fast and how late.
package struct NetworkReport: Sendable, Equatable {
  /// Something that held for a while.
  package struct Applied: Sendable, Equatable {
    package enum Kind: String, Sendable { case profile, timeline, toxic }
    package var kind: Kind
    /// Seconds since the report's begin.
    package var start: Double
    package var end: Double
    /// The profile's name, what the step of a timeline says, or the toxic's condition.
    package var label: String
    /// On which proxies; empty for all.
    package var proxies: [String]
  }

  /// Delays that few, most and all deliveries stayed below, in milliseconds; the bounds of powers of two.
  package struct Delays: Sendable, Equatable {
    package var p50: Double
    package var p95: Double
    package var most: Double

    package init(p50: Double, p95: Double, most: Double) {
      self.p50 = p50
      self.p95 = p95
      self.most = most
    }
  }

  /// One direction of a proxy, from begin to end.
  package struct Traffic: Sendable, Equatable {
    package var received: Int64 = 0
    package var sent: Int64 = 0
    package var datagrams: Int64 = 0
    package var lost: Int64 = 0
    package var delays: Delays?
  }

  package struct Proxy: Sendable, Equatable {
    package var name: String
    package var kind = ""
    package var listen = ""
    package var upstream = ""
    package var connections: Int64 = 0
    package var failed: Int64 = 0
    package var requests: Int64 = 0
    package var up = Traffic()
    package var down = Traffic()
  }

  /// All proxies together between two samples.
  package struct Point: Sendable, Equatable {
    /// Seconds since the report's begin, of the later sample.
    package var time: Double
    /// Seconds between the samples.
    package var duration: Double
    /// Bits a second that went on.
    package var up: Double
    package var down: Double
    package var open: Int
    /// The delays of both directions.
    package var delays: Delays?
  }

  /// Seconds since 1970.
  package var begin: Double
  package var end: Double
  package var applied: [Applied]
  package var proxies: [Proxy]
  package var points: [Point]
  /// The events, without connections and requests.
  package var events: [NetworkEvent]
  /// The number of connections that could not be made, by why.
  package var failures: [String: Int]
  package var unreadable: Int

  package init(_ journal: Journal) {
    let times = journal.events.map(\.time) + journal.samples.map(\.time) + journal.states.map(\.time)
    begin = times.min() ?? 0
    end = times.max() ?? 0
    applied = AppliedSpans(begin: begin, end: end).spans(of: journal)
    var tally = TrafficTally(begin: begin, states: journal.states)
    for sample in journal.samples.sorted(by: { $0.time < $1.time }) { tally.add(sample) }
    (proxies, points) = (tally.allProxies, tally.points)
    events = journal.events.filter { event in
      switch event.kind {
      case .connectionOpened, .connectionClosed, .connectionFailed, .request: false
      default: true
      }
    }.sorted { $0.time < $1.time }
    failures = [:]
    for event in journal.events where event.kind == .connectionFailed {
      failures[event.details["reason"] ?? event.details["error"] ?? "", default: 0] += 1
    }
    unreadable = journal.unreadable
  }

  package var duration: Double { max(0, end - begin) }
}

extension NetworkReport.Delays {
  /// By the counts of deliveries below 1, 2, 4, … 2^19 ms and the rest; nil where there are none.
  init?(_ counts: [Int64]) {
    let all = counts.reduce(0, +)
    guard all > 0 else { return nil }
    func bound(_ share: Double) -> Double {
      var sum: Int64 = 0
      for (index, count) in counts.enumerated() {
        sum += count
        if Double(sum) >= share * Double(all) { return Double(1 << index) }
      }
      return Double(1 << 20)
    }
    self.init(p50: bound(0.5), p95: bound(0.95), most: bound(1))
  }
}
