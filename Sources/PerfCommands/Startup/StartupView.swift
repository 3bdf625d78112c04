import MPaaSProject
import MPaaSSampling
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// The starts of a program: where the time goes, warm and cold, as a table, as JSON and as a picture.
struct StartupView: Presentable {
  private let result: StartupMeasurement.Result
  private let framework: TraceSummary?
  private let svg: String?
  private let warm: StartupTimes
  private let cold: StartupTimes

  init(_ result: StartupMeasurement.Result, framework: TraceSummary?, svg: String?) {
    self.result = result
    self.framework = framework
    self.svg = svg
    warm = StartupTimes.middle(of: result.warm)
    cold = StartupTimes.middle(of: result.cold)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let values = ["command": result.command.joined(separator: " "), "count": "\(result.warm.count)"]
    document.line(StyledText(catalogue.text("text.perf-startup-headline", values), .heading))
    document.table(phases(catalogue))
    document.line()
    let dropped = result.dropped
    let told = [
      "before": ByteCount(dropped.before).description, "after": ByteCount(dropped.after).description,
      "files": "\(dropped.files)",
    ]
    document.line(StyledText(catalogue.text("text.perf-startup-dropped", told), .faint))
    for file in dropped.kept.prefix(3) {
      document.line(StyledText("  " + catalogue.text("text.perf-startup-kept", ["file": file]), .faint))
    }
    if let framework {
      document.line()
      document.line(StyledText(catalogue.text("text.perf-startup-framework"), .heading))
      document.table(Self.table(framework, catalogue))
    }
    if let svg { document.line(StyledText(svg, .path)) }
    return document
  }

  private static func name(_ phase: StartupTimes.Phase, _ catalogue: Catalogue) -> String {
    catalogue.text("text.perf-startup-phase-\(phase.to.rawValue)")
  }

  private func phases(_ catalogue: Catalogue) -> Table {
    let keys = ["phase", "warm", "warm-range", "cold", "cold-range"]
    var table = Table(
      columns: keys.map { Table.Column(catalogue.text("text.perf-startup-\($0)"), isNumeric: $0 != "phase") })
    let coldPhases = cold.phases
    for phase in warm.phases {
      let other = coldPhases.first { $0.from == phase.from && $0.to == phase.to }
      table.rows.append([
        StyledText(Self.name(phase, catalogue)), Self.time(phase.duration),
        Self.range(result.warm, phase), other.map { Self.time($0.duration) } ?? "–", Self.range(result.cold, phase),
      ])
    }
    table.rows.append([
      StyledText(catalogue.text("text.perf-startup-all"), .heading), Self.time(warm.phases.last?.end ?? 0), "",
      Self.time(cold.phases.last?.end ?? 0), "",
    ])
    return table
  }

  private static func time(_ nanoseconds: UInt64) -> StyledText {
    StyledText(TraceTime.text(Int64(clamping: nanoseconds)), .number)
  }

  /// The shortest and the longest of a phase.
  private static func range(_ times: [StartupTimes], _ phase: StartupTimes.Phase) -> StyledText {
    let all = times.compactMap { each in
      each.phases.first { $0.from == phase.from && $0.to == phase.to }.map { Int64(clamping: $0.duration) }
    }
    guard let least = all.min(), let most = all.max() else { return "–" }
    return StyledText("\(TraceTime.text(least)) – \(TraceTime.text(most))", .faint)
  }

  /// The longest of the framework's phases.
  private static func table(_ summary: TraceSummary, _ catalogue: Catalogue) -> Table {
    let columns = ["phase", "own", "total"].map {
      Table.Column(catalogue.text("text.perf-startup-\($0)"), isNumeric: $0 != "phase")
    }
    let entries = summary.entries.sorted { ($1.own, $0.start) < ($0.own, $1.start) }.prefix(12)
    return Table(
      columns: columns,
      rows: entries.map { entry in
        let name = [entry.key.kind, entry.key.subject, entry.key.phase].filter { !$0.isEmpty }.joined(separator: " ")
        return [
          StyledText(name), StyledText(TraceTime.text(entry.own), .number),
          StyledText(TraceTime.text(entry.duration), .number),
        ]
      })
  }

  private enum CodingKeys: String, CodingKey { case command, status, warm, cold, dropped, framework, svg }

  private struct Moments: Encodable {
    /// Seconds from the wish to start to each moment: the middle of the starts, and each of them.
    let middle: [String: Double]
    let starts: [[String: Double]]

    init(_ middle: StartupTimes, _ all: [StartupTimes]) {
      self.middle = Self.seconds(middle)
      starts = all.map(Self.seconds)
    }

    private static func seconds(_ times: StartupTimes) -> [String: Double] {
      Dictionary(times.moments.map { ($0.key.rawValue, Double($0.value) / 1e9) }, uniquingKeysWith: { $1 })
    }
  }

  private struct Dropped: Encodable {
    let files: Int
    let before: UInt64
    let after: UInt64
    let kept: [String]
  }

  private struct FrameworkPhase: Encodable {
    let kind: String
    let subject: String
    let phase: String
    let own: Double
    let total: Double
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(result.command, forKey: .command)
    try container.encode(result.status, forKey: .status)
    try container.encode(Moments(warm, result.warm), forKey: .warm)
    try container.encode(Moments(cold, result.cold), forKey: .cold)
    let dropped = result.dropped
    try container.encode(
      Dropped(files: dropped.files, before: dropped.before, after: dropped.after, kept: dropped.kept),
      forKey: .dropped)
    let phases = framework?.entries.map { entry in
      FrameworkPhase(
        kind: entry.key.kind, subject: entry.key.subject, phase: entry.key.phase, own: Double(entry.own) / 1e9,
        total: Double(entry.duration) / 1e9)
    }
    try container.encodeIfPresent(phases, forKey: .framework)
    try container.encodeIfPresent(svg, forKey: .svg)
  }
}

extension StartupView {
  private static let width = 1000.0
  private static let margin = 12.0
  private static let style = FlameStyle(height: 26, radius: 2, letter: 6.7, precision: 1, escaping: .quoted)
  private static let colors: [StartupTimes.Moment: String] = [
    .exec: "#b0bec5", .loader: "#8d6e63", .loaded: "#ef8354", .entry: "#ffb74d", .main: "#64b5f6", .output: "#81c784",
    .end: "#cfd8dc",
  ]

  /// The phases as bars, warm above cold, in the scale of the longer one: an SVG file that needs nothing else.
  func picture(_ catalogue: Catalogue) -> String {
    let longest = max(warm.phases.last?.end ?? 0, cold.phases.last?.end ?? 0, 1)
    let scale = (Self.width - 2 * Self.margin) / Double(longest)
    let title = result.command.joined(separator: " ").escapedMarkup(.quoted)
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" width="1000" height="170" viewBox="0 0 1000 170" \
      font-family="ui-monospace, Menlo, Consolas, monospace" font-size="11">
      <title>\(title)</title>
      <rect width="100%" height="100%" fill="#fff"/>
      <text x="12" y="24" font-size="15">\(title)</text>

      """
    for (key, times, top) in [("warm", warm, 56.0), ("cold", cold, 118.0)] {
      let whole = TraceTime.text(Int64(clamping: times.phases.last?.end ?? 0))
      let name = "\(catalogue.text("text.perf-startup-\(key)")): \(whole)".escapedMarkup(.quoted)
      text += #"<text x="12" y="\#(Self.style.number(top - 6))">\#(name)</text>"# + "\n"
      for phase in times.phases {
        let shown = "\(Self.name(phase, catalogue)) \(TraceTime.text(Int64(clamping: phase.duration)))"
        text += Self.style.box(
          shown, tip: shown, color: Self.colors[phase.to] ?? "#cfd8dc",
          left: Self.margin + Double(phase.start) * scale, top: top, width: max(Double(phase.duration) * scale, 0.5))
      }
    }
    return text + "</svg>\n"
  }
}
