/// The metrics of an app by its versions, over the days that there are payloads of.
package struct MetricGroups: Sendable {
  /// One version.
  package struct Group: Sendable {
    package let version: String
    package let build: String
    package fileprivate(set) var payloads = 0
    package fileprivate(set) var metrics: [String: Metric] = [:]
    fileprivate var first: String

    /// The version, and the build where one is told: `2.1 (7)`.
    package var title: String { build.isEmpty ? version : "\(version) (\(build))" }
  }

  private struct Key: Hashable {
    let version: String
    let build: String
  }

  private var groups: [Key: Group] = [:]

  package init() {}

  package mutating func add(_ payload: MetricPayload) {
    let key = Key(version: payload.version, build: payload.build)
    var group = groups[key] ?? Group(version: payload.version, build: payload.build, first: payload.end)
    group.payloads += 1
    group.first = min(group.first, payload.end)
    for (path, metric) in payload.metrics {
      group.metrics[path] = group.metrics[path].flatMap { $0.adding(metric) } ?? metric
    }
    groups[key] = group
  }

  /// The versions, by the first day that there is of each.
  package var all: [Group] { groups.values.sorted { ($0.first, $0.title) < ($1.first, $1.title) } }
}
