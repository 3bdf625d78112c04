import Synchronization

/// The outcomes of the requests so far.
final class Tally: Sendable {
  private struct State {
    var milliseconds: [Double] = []
    var statuses: [UInt: Int] = [:]
    var failures = 0
  }

  private let state = Mutex(State())

  func add(_ elapsed: Duration, status: UInt) {
    state.withLock { state in
      state.milliseconds.append(elapsed / .milliseconds(1))
      state.statuses[status, default: 0] += 1
    }
  }

  func fail() { state.withLock { $0.failures += 1 } }

  /// One JSON object.
  func report(over elapsed: Duration) -> String {
    state.withLock { state in
      let sorted = state.milliseconds.sorted()
      func quantile(_ part: Double) -> Double {
        sorted.isEmpty ? 0 : sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)]
      }
      let seconds = elapsed / .seconds(1)
      let statuses = state.statuses.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
      func short(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
      return """
        {"requests":\(sorted.count),"seconds":\(short(seconds)),"per_second":\(short(Double(sorted.count) / seconds)),\
        "p50_ms":\(short(quantile(0.5))),"p99_ms":\(short(quantile(0.99))),"max_ms":\(short(sorted.last ?? 0)),\
        "statuses":{\(statuses.joined(separator: ","))},"failures":\(state.failures)}
        """
    }
  }
}
