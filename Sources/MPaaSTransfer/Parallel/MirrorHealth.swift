/// How the servers did so far: those that failed are asked later by the jobs that follow.
struct MirrorHealth {
  private var failures: [Substring: Int] = [:]
  private var closedUntil: [Substring: Duration] = [:]

  /// Scheme, host and port of a URL.
  static func origin(_ url: String) -> Substring {
    let host = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    return url[..<(url[host...].firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? url.endIndex)]
  }

  /// The addresses with those of servers that failed less often first, else in their order.
  func sorted(_ urls: [String]) -> [String] {
    urls.enumerated().map { (failures[Self.origin($1), default: 0], $0, $1) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }

  mutating func noteFailure(_ url: String) {
    failures[Self.origin(url), default: 0] += 1
  }

  mutating func noteSuccess(_ url: String) {
    failures[Self.origin(url)] = nil
  }

  /// Nobody asks the server before that time: it said so.
  mutating func close(_ url: String, until time: Duration) {
    let origin = Self.origin(url)
    closedUntil[origin] = max(closedUntil[origin] ?? time, time)
  }

  /// When the server may be asked; now or earlier where it said nothing.
  func opens(_ url: String) -> Duration { closedUntil[Self.origin(url)] ?? .zero }
}
