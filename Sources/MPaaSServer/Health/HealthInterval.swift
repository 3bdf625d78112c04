/// The width of a point in time that sessions are counted by.
package enum HealthInterval: String, Sendable, CaseIterable, Codable {
  case minute
  case hour
  case day

  /// Seconds.
  package var width: Int64 {
    switch self {
    case .minute: 60
    case .hour: 3600
    case .day: 86_400
    }
  }

  var table: String {
    switch self {
    case .minute: "release_minutes"
    case .hour: "release_hours"
    case .day: "release_days"
    }
  }

  /// Seconds for which its counts are kept.
  package var memory: Int64 {
    switch self {
    case .minute: 3 * 86_400
    case .hour: 100 * 86_400
    case .day: 400 * 86_400
    }
  }

  /// The beginning of the point that a time is in.
  package func start(of time: Int64) -> Int64 { time - ((time % width) + width) % width }

  /// The first beginning of a point that is not before a time.
  package func end(of time: Int64) -> Int64 { start(of: time + width - 1) }
}
