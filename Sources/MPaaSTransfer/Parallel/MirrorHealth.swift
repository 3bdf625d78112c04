import MPaaSTime

/// The health of the servers so far: those that failed are asked later by the jobs that follow.
struct MirrorHealth {
  private var failures: [Substring: Int] = [:]
  private var closedUntil: [Substring: TimeSpan] = [:]

  /// The addresses with those of servers that failed less often first, else in their order.
  func sorted(_ urls: [String]) -> [String] {
    urls.enumerated().map { (failures[WebAddress.origin($1), default: 0], $0, $1) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }

  mutating func noteFailure(_ url: String) {
    failures[WebAddress.origin(url), default: 0] += 1
  }

  mutating func noteSuccess(_ url: String) {
    failures[WebAddress.origin(url)] = nil
  }

  /// The server asked not to be asked before that time.
  mutating func close(_ url: String, until time: TimeSpan) {
    let origin = WebAddress.origin(url)
    closedUntil[origin] = max(closedUntil[origin] ?? time, time)
  }

  /// The time when the server may be asked; now or earlier where it said nothing.
  func opens(_ url: String) -> TimeSpan { closedUntil[WebAddress.origin(url)] ?? .zero }
}
