/// Sessions by what became of them; each is counted in one of the classes.
package struct SessionCounts: Sendable, Equatable {
  package var healthy: Int64 = 0
  /// Sessions with errors that ended well.
  package var errored: Int64 = 0
  package var unhandled: Int64 = 0
  package var abnormal: Int64 = 0
  package var crashed: Int64 = 0

  package init() {}

  /// Creates the counts of so many sessions of a state.
  package init(_ state: SessionState, errors: Int64, count: Int64 = 1) {
    switch state {
    case .crashed: crashed = count
    case .abnormal: abnormal = count
    case .unhandled: unhandled = count
    case .ok, .exited: if errors > 0 { errored = count } else { healthy = count }
    }
  }

  package var sessions: Int64 { healthy + errored + unhandled + abnormal + crashed }
  /// Tells whether nothing is to be added; a session that changed its class has 0 sessions and is not empty.
  package var isEmpty: Bool { self == SessionCounts() }

  /// The share of sessions that did not crash, to six digits; nil where there are none.
  package var crashFree: Double? { Self.crashFree(crashed, of: sessions) }

  /// The share without the crashed, to six digits; nil of none.
  static func crashFree(_ crashed: Int64, of all: Int64) -> Double? {
    guard all > 0 else { return nil }
    return share(all - min(crashed, all), of: all)
  }

  /// A share to six digits; nil of none.
  static func share(_ part: Int64, of all: Int64) -> Double? {
    guard all > 0 else { return nil }
    return (Double(part) / Double(all) * 1e6).rounded() / 1e6
  }

  package static func += (left: inout Self, right: Self) {
    left.healthy += right.healthy
    left.errored += right.errored
    left.unhandled += right.unhandled
    left.abnormal += right.abnormal
    left.crashed += right.crashed
  }

  package static func -= (left: inout Self, right: Self) {
    left.healthy -= right.healthy
    left.errored -= right.errored
    left.unhandled -= right.unhandled
    left.abnormal -= right.abnormal
    left.crashed -= right.crashed
  }
}
