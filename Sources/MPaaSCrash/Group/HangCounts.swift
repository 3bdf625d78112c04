package import MPaaSCrashReport

/// The hangs of a group of reports, as they add up.
package struct HangCounts: Sendable {
  /// Seconds, in no order.
  private var durations: [Double] = []
  package private(set) var busy = 0
  package private(set) var waiting = 0
  /// Those that the program did not outlive.
  package private(set) var unended = 0

  package init() {}

  package mutating func add(_ hang: CrashReport.Hang) {
    durations.append(hang.duration)
    switch hang.activity {
    case .busy: busy += 1
    case .waiting: waiting += 1
    case .unknown: break
    }
    if !hang.hasEnded { unended += 1 }
  }

  package mutating func merge(_ other: HangCounts) {
    durations += other.durations
    busy += other.busy
    waiting += other.waiting
    unended += other.unended
  }

  /// The seconds that a part of the hangs, from 0 to 1, last at most (the nearest rank); nil where there are none.
  package func quantile(_ part: Double) -> Double? {
    guard !durations.isEmpty else { return nil }
    let sorted = durations.sorted()
    let rank = Int((part * Double(sorted.count)).rounded(.up)) - 1
    return sorted[min(max(rank, 0), sorted.count - 1)]
  }
}
