import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal

/// The pages of releases and of their health, as functions of what they show.
struct ReleasePages: Sendable {
  let frame: PageFrame
  /// The most releases of a page, and the most points of a table.
  static let most = 50
  private static let mostRows = 60

  // MARK: - Releases

  /// The releases with sessions in a time, the newest first.
  ///
  /// - Parameters:
  ///   - apps: The names of apps by their keys.
  ///   - days: The days that it is about.
  func releases(_ releases: [ReleaseHealth], apps: [String: String], days: Int64, environment: String) -> String {
    let rows = releases.map { release in
      [
        apps.count > 1 ? HTML.escaped(apps[release.app] ?? "") : nil,
        HTML.link(Self.path(release.app, release: release.release, environment: release.environment), release.release),
        HTML.escaped(release.environment), number(release.counts.sessions), share(release.counts.crashFree),
        share(release.crashFreeUsers), number(release.users), number(release.counts.crashed),
        share(release.adoption),
      ].compactMap { $0 }
    }
    let head =
      (apps.count > 1 ? ["app"] : []) + [
        "release", "environment", "sessions", "crash-free-sessions", "crash-free-users", "users", "crashed", "adoption",
      ]
    let links = apps.sorted { $0.value < $1.value }.map {
      HTML.link(Self.path($0.key), frame.word("health-of", ["app": $0.value]))
    }
    return frame.page(
      frame.word("releases"), section: "releases",
      [
        form(days: days, environment: environment), "<p>\(links.joined(separator: " · "))</p>",
        rows.isEmpty ? frame.empty("no-sessions") : HTML.table(head.map { frame.word("column-\($0)") }, rows),
      ])
  }

  private func form(days: Int64, environment: String) -> String {
    let options = [1, 7, 30, 90].map { (count: Int64) in
      "<option value=\(count)\(count == days ? " selected" : "")>\(frame.text("days", ["count": String(count)]))</option>"
    }
    return """
      <form class=card action="/releases"><label>\(frame.text("field-time"))<select name=days>\(options.joined())</select></label>
      <label>\(frame.text("field-environment"))<input name=environment value="\(HTML.escaped(environment))"></label><button>\(frame.text("show"))</button></form>
      """
  }

  /// The address of an app's page of health.
  static func path(
    _ app: String, _ page: String = "health", release: String? = nil, environment: String? = nil,
    interval: HealthInterval? = nil
  ) -> String {
    let parameters = [
      ("release", release), ("environment", environment?.isEmpty == true ? nil : environment),
      ("interval", interval?.rawValue),
    ].compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encode($0))" } }
    return "/apps/\(HTML.segment(app))/\(page)" + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
  }

  // MARK: - Health

  /// The content of the page of an app's health.
  struct Health: Sendable {
    var app: String
    var name: String
    var query: HealthQuery
    var interval: HealthInterval
    var points: [ReleaseHealth.Point] = []
    var devices: [DeviceDays.Count] = []
  }

  func health(_ health: Health) -> String {
    let (query, interval) = (health.query, health.interval)
    var all = SessionCounts()
    for point in health.points { all += point.counts }
    let asked = [query.release, query.environment].compactMap { $0 }
    let facts = [
      frame.text("health-sessions", ["count": String(all.sessions)]),
      frame.text("health-crashed", ["count": String(all.crashed)]),
      frame.text("health-rate", ["share": all.sessions > 0 ? HealthChart.percent(all.crashRate) : "–"]),
    ]
    let chart = HealthChart(
      title: frame.word("health-chart", ["app": health.name]),
      description: frame.word(
        "health-chart-desc",
        [
          "sessions": String(all.sessions), "crashed": String(all.crashed), "rate": HealthChart.percent(all.crashRate),
        ]),
      points: health.points, interval: interval, from: query.from, to: query.to)
    let links = HealthInterval.allCases.map { other in
      let path = Self.path(health.app, release: query.release, environment: query.environment, interval: other)
      let mark = other == interval ? " aria-current=page" : ""
      return "<a href=\"\(HTML.escaped(path))\"\(mark)>\(frame.text("interval-\(other.rawValue)"))</a>"
    }
    let file = Self.path(
      health.app, "health.csv", release: query.release, environment: query.environment, interval: interval)
    let ends = HTML.link(
      Self.path(health.app, "terminations"), frame.word("terminations-of", ["app": health.name]))
    return frame.page(
      frame.word("health-of", ["app": health.name]), section: "releases",
      [
        asked.isEmpty ? "" : "<p><code>\(asked.map(HTML.escaped).joined(separator: " · "))</code></p>",
        "<nav aria-label=\"\(frame.text("interval"))\">\(links.joined(separator: "\n"))</nav>",
        "<p>\(facts.joined(separator: " · "))</p>", chart.markup,
        health.points.isEmpty ? frame.empty("no-sessions") : table(health.points),
        "<p>\(HTML.link(file, frame.word("csv"))) · \(ends)</p>", devices(health.devices),
      ])
  }

  /// The newest points.
  private func table(_ points: [ReleaseHealth.Point]) -> String {
    let rows = points.suffix(Self.mostRows).reversed().map { point in
      [
        HTML.time(Double(point.start)), number(point.counts.crashed), number(point.counts.sessions),
        "<span class=n>\(HealthChart.percent(point.counts.crashRate))</span>", number(point.counts.errored),
        number(point.counts.unhandled), number(point.counts.abnormal),
      ]
    }
    let head = ["time", "crashed", "alive", "crash-rate", "errored", "unhandled", "abnormal"]
    return HTML.table(head.map { frame.word("column-\($0)") }, rows)
  }

  // MARK: - Devices

  private func devices(_ counts: [DeviceDays.Count]) -> String {
    let title = "<h2>\(frame.text("devices-of-days"))</h2>"
    guard !counts.isEmpty else { return title + frame.empty("none") }
    return title
      + [
        (DeviceDays.Kind.devices, DeviceDays.Kind.users, nil),
        (.devicesByVersion, .usersByVersion, "version"), (.devicesBySystem, .usersBySystem, "system"),
      ].map { table(counts, $0, $1, $2) }.joined(separator: "\n")
  }

  private func table(
    _ counts: [DeviceDays.Count], _ devices: DeviceDays.Kind, _ users: DeviceDays.Kind, _ name: String?
  ) -> String {
    struct Row: Hashable {
      let start: Int64
      let name: String
    }
    var rows: [Row: (devices: Int64, users: Int64)] = [:]
    for count in counts where count.kind == devices || count.kind == users {
      let row = Row(start: count.start, name: count.name)
      if count.kind == devices {
        rows[row, default: (0, 0)].devices = count.count
      } else {
        rows[row, default: (0, 0)].users = count.count
      }
    }
    if rows.isEmpty { return "" }
    let ordered = rows.sorted {
      ($1.key.start, $1.value.devices, $0.key.name) < ($0.key.start, $0.value.devices, $1.key.name)
    }.prefix(Self.mostRows / 3)
    let head = ["day"] + (name.map { [$0] } ?? []) + ["devices", "users"]
    return HTML.table(
      head.map { frame.word("column-\($0)") },
      ordered.map { row, count in
        [HTML.time(Double(row.start))] + (name == nil ? [] : [HTML.escaped(row.name)])
          + [number(count.devices), number(count.users)]
      })
  }

  private func number(_ count: Int64) -> String { "<span class=n>\(count)</span>" }

  private func share(_ share: Double?) -> String {
    "<span class=n>\(share.map(HealthChart.percent) ?? "–")</span>"
  }
}
