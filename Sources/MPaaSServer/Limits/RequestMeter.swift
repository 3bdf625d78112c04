import Synchronization

/// Counts requests and how long they took, as Prometheus reads it.
final class RequestMeter: Sendable {
  private struct State {
    /// By method and status.
    var requests: [String: Int64] = [:]
    var buckets = [Int64](repeating: 0, count: RequestMeter.bounds.count)
    var seconds = 0.0
    var count: Int64 = 0
    var active = 0
  }

  /// Seconds that are the upper bounds of the buckets.
  private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
  private static let methods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
  private let state = Mutex(State())

  func begin() { state.withLock { $0.active += 1 } }

  func end(_ method: String, _ status: Int, _ seconds: Double) {
    let method = Self.methods.contains(method) ? method : "other"
    state.withLock { state in
      state.active -= 1
      state.requests["method=\"\(method)\",status=\"\(status)\"", default: 0] += 1
      for index in Self.bounds.indices where seconds <= Self.bounds[index] { state.buckets[index] += 1 }
      state.seconds += seconds
      state.count += 1
    }
  }

  /// - Source: "Exposition formats", prometheus.io/docs/instrumenting/exposition_formats.
  var lines: [String] {
    let state = state.withLock { $0 }
    var lines = [
      "# HELP mpaas_http_requests_total Requests, by method and status.", "# TYPE mpaas_http_requests_total counter",
    ]
    lines += state.requests.sorted { $0.key < $1.key }.map { "mpaas_http_requests_total{\($0.key)} \($0.value)" }
    lines += [
      "# HELP mpaas_http_request_duration_seconds Time until the head of the answer.",
      "# TYPE mpaas_http_request_duration_seconds histogram",
    ]
    for (bound, count) in zip(Self.bounds, state.buckets) {
      lines.append("mpaas_http_request_duration_seconds_bucket{le=\"\(bound)\"} \(count)")
    }
    return lines + [
      "mpaas_http_request_duration_seconds_bucket{le=\"+Inf\"} \(state.count)",
      "mpaas_http_request_duration_seconds_sum \(state.seconds)",
      "mpaas_http_request_duration_seconds_count \(state.count)",
      "# HELP mpaas_http_requests_active Requests that are worked on.", "# TYPE mpaas_http_requests_active gauge",
      "mpaas_http_requests_active \(state.active)",
    ]
  }
}
