import MPaaSProject
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// The costs of an app's start, by what was done, and what changed since other traces.
struct TraceView: Presentable {
  let summary: TraceSummary
  /// The trace that is drawn.
  let flame: TraceFile?
  let order: RuntimeCommand.Trace.Order
  let limit: Int
  let comparison: TraceComparison?
  /// Per cent by which the start may grow.
  let failAbove: Double?
  /// The exit status of the traced command.
  let status: ExitStatus
  /// Columns of the flame graph.
  let width: Int

  var exit: ExitStatus {
    guard status == .done else { return status }
    if let failAbove, let growth = comparison?.growth, growth > failAbove { return .negative }
    return .done
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    document.line(title(catalogue))
    if let comparison {
      tell(comparison, catalogue, in: &document)
      return document
    }
    let entries = sorted
    document.table(table(entries.prefix(limit), catalogue))
    if entries.count > limit {
      let values = ["count": "\(entries.count - limit)"]
      document.line(StyledText(catalogue.text("text.trace-more", values), .faint))
    }
    if summary.dropped > 0 {
      document.line(StyledText(catalogue.text("text.trace-dropped", ["count": "\(summary.dropped)"]), .warning))
    }
    if let flame, !flame.spans.isEmpty {
      document.line()
      for line in FlameLines.lines(of: flame, width: width) { document.line(line) }
    }
    return document
  }

  private func title(_ catalogue: Catalogue) -> StyledText {
    let name = summary.process ?? summary.files.first ?? ""
    let runs = summary.files.count
    let key = runs > 1 ? "text.trace-title-runs" : "text.trace-title"
    let values = ["time": TraceTime.text(summary.total), "steps": "\(summary.entries.count)", "runs": "\(runs)"]
    return StyledText(name, .heading) + StyledText(catalogue.text(key, values))
  }

  private var sorted: [TraceSummary.Entry] {
    switch order {
    case .start: summary.entries
    case .duration: summary.entries.sorted { $0.duration > $1.duration }
    case .own: summary.entries.sorted { $0.own > $1.own }
    case .name: summary.entries.sorted { ($0.key.subject, $0.key.phase) < ($1.key.subject, $1.key.phase) }
    }
  }

  private func table(_ entries: ArraySlice<TraceSummary.Entry>, _ catalogue: Catalogue) -> Table {
    func heading(_ name: String) -> String { catalogue.text("text.trace-heading-\(name)") }
    return Table(
      columns: [
        .init(heading("what")), .init(heading("phase")), .init(heading("start"), isNumeric: true),
        .init(heading("duration"), isNumeric: true), .init(heading("own"), isNumeric: true),
        .init(heading("share"), isNumeric: true), .init(heading("kind"), isOptional: true),
        .init(heading("place"), isOptional: true),
      ],
      rows: entries.map { entry in
        [
          StyledText(entry.key.subject, entry.error == nil ? .function : .bad), StyledText(entry.key.phase),
          StyledText(TraceTime.text(entry.start), .number), StyledText(TraceTime.text(entry.duration), .number),
          StyledText(TraceTime.text(entry.own), .number),
          StyledText(TraceTime.share(entry.duration, of: summary.total), .number), StyledText(entry.key.kind),
          StyledText(entry.error ?? entry.place ?? "", entry.error == nil ? .path : .bad),
        ]
      })
  }
}

extension TraceView {
  /// Changes below this part of the start are taken for noise: one thousandth.
  private static var noise: Int64 { 1000 }

  private func tell(_ comparison: TraceComparison, _ catalogue: Catalogue, in document: inout Document) {
    let values = [
      "before": TraceTime.text(comparison.before.total), "after": TraceTime.text(comparison.after.total),
      "growth": comparison.growth.map(Self.percent) ?? "–", "runs": "\(comparison.before.files.count)",
    ]
    let isSlower = comparison.after.total > comparison.before.total
    document.line(StyledText(catalogue.text("text.trace-change", values), isSlower ? .warning : .good))
    let least = max(comparison.before.total, comparison.after.total) / Self.noise
    let telling = comparison.changes.filter { $0.difference.magnitude > least.magnitude }
    guard !telling.isEmpty else {
      document.line(StyledText(catalogue.text("text.trace-unchanged"), .faint))
      return
    }
    let half = limit == .max ? limit : max(1, limit / 2)
    let slower = telling.filter { $0.difference > 0 }.prefix(half)
    let faster = telling.filter { $0.difference < 0 }.suffix(half)
    document.table(changes(Array(slower) + Array(faster), catalogue))
    let left = telling.count - slower.count - faster.count
    if left > 0 { document.line(StyledText(catalogue.text("text.trace-more", ["count": "\(left)"]), .faint)) }
  }

  private func changes(_ changes: [TraceComparison.Change], _ catalogue: Catalogue) -> Table {
    func heading(_ name: String) -> String { catalogue.text("text.trace-heading-\(name)") }
    func time(_ time: Int64?) -> StyledText { StyledText(time.map(TraceTime.text) ?? "–", .number) }
    return Table(
      columns: [
        .init(heading("what")), .init(heading("phase")), .init(heading("before"), isNumeric: true),
        .init(heading("after"), isNumeric: true), .init(heading("change"), isNumeric: true),
      ],
      rows: changes.map { change in
        let sign = change.difference > 0 ? "+" : ""
        return [
          StyledText(change.key.subject, .function), StyledText(change.key.phase), time(change.before),
          time(change.after),
          StyledText(sign + TraceTime.text(change.difference), change.difference > 0 ? .bad : .good),
        ]
      })
  }

  private static func percent(_ value: Double) -> String {
    let tenths = Int(max(-1e15, min(1e15, (value * 10).rounded())))
    return "\(tenths < 0 ? "-" : "+")\(tenths.magnitude / 10).\(tenths.magnitude % 10) %"
  }
}

extension TraceView {
  private struct Step: Encodable {
    let subject, phase, kind, thread: String
    let startUs, durationUs, ownUs: Double
    let share: Double
    let count: Int
    let place, error: String?
  }

  private struct Change: Encodable {
    let subject, phase, kind: String
    let beforeUs, afterUs: Double?
    let differenceUs: Double
  }

  private enum Key: String, CodingKey {
    case files, process, totalUs, dropped, steps, against, beforeUs, growth, changes
  }

  func encode(to encoder: any Encoder) throws {
    func microseconds(_ time: Int64) -> Double { Double(time) / 1000 }
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(summary.files, forKey: .files)
    try container.encode(summary.process, forKey: .process)
    try container.encode(microseconds(summary.total), forKey: .totalUs)
    try container.encode(summary.dropped, forKey: .dropped)
    let steps = sorted.map { entry in
      Step(
        subject: entry.key.subject, phase: entry.key.phase, kind: entry.key.kind, thread: entry.thread,
        startUs: microseconds(entry.start), durationUs: microseconds(entry.duration), ownUs: microseconds(entry.own),
        share: summary.total > 0 ? Double(entry.duration) / Double(summary.total) : 0, count: entry.count,
        place: entry.place, error: entry.error)
    }
    try container.encode(steps, forKey: .steps)
    guard let comparison else { return }
    try container.encode(comparison.before.files, forKey: .against)
    try container.encode(microseconds(comparison.before.total), forKey: .beforeUs)
    try container.encode(comparison.growth, forKey: .growth)
    let changes = comparison.changes.map { change in
      Change(
        subject: change.key.subject, phase: change.key.phase, kind: change.key.kind,
        beforeUs: change.before.map(microseconds), afterUs: change.after.map(microseconds),
        differenceUs: microseconds(change.difference))
    }
    try container.encode(changes, forKey: .changes)
  }
}
