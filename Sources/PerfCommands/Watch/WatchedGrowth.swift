import MPaaSSampling
import MPaaSSupport
import MPaaSTerminal

/// The report at the end of a watch: what grew, with its confidence, and what the threads did.
struct WatchedGrowth: Presentable {
  private let process: Int32
  private let report: GrowthReport

  init(process: Int32, _ report: GrowthReport) {
    self.process = process
    self.report = report
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    document.line()
    let values = ["time": TextNumber.decimal(report.duration, places: 1) + " s", "count": "\(report.count)"]
    document.line(StyledText(catalogue.text("text.perf-growth", values), .heading))
    document.table(lines(catalogue))
    if !report.threads.isEmpty {
      document.line()
      document.table(threads(catalogue))
    }
    return document
  }

  private func lines(_ catalogue: Catalogue) -> Table {
    let columns = ["subject", "first", "last", "slope", "confidence", "verdict"].map { key in
      Table.Column(catalogue.text("text.perf-growth-\(key)"), isNumeric: !["subject", "verdict"].contains(key))
    }
    return Table(
      columns: columns,
      rows: report.lines.map { line in
        let isBytes = Self.isBytes(line.subject)
        var cells = [StyledText(Self.name(line.subject, catalogue))]
        cells += [line.first, line.last].map { StyledText(Self.amount($0, isBytes), .number) }
        guard let trend = line.trend else { return cells + ["–", "–", ""] }
        let interval = [trend.low, trend.high].map { Self.amount($0 * 60, isBytes) }.joined(separator: " … ")
        let verdict: StyledText =
          trend.grows
          ? StyledText(catalogue.text("text.perf-grows"), .warning)
          : trend.high < 0 ? StyledText(catalogue.text("text.perf-shrinks")) : StyledText("–", .faint)
        return cells + [StyledText(Self.amount(trend.slope * 60, isBytes), .number), StyledText(interval), verdict]
      })
  }

  private func threads(_ catalogue: Catalogue) -> Table {
    let columns = ["thread", "first", "last", "cpu"].map { key in
      Table.Column(catalogue.text("text.perf-growth-\(key)"), isNumeric: key != "thread")
    }
    return Table(
      columns: columns,
      rows: report.threads.prefix(20).map { thread in
        [
          StyledText(thread.name, .emphasis), StyledText("\(thread.first)"),
          StyledText("\(thread.last)", thread.last > thread.first ? .warning : .plain),
          StyledText(thread.processor.map(TextNumber.percent) ?? "–", .number),
        ]
      })
  }

  private static func isBytes(_ subject: GrowthReport.Subject) -> Bool {
    subject != .descriptors && subject != .threads
  }

  private static func amount(_ value: Double, _ isBytes: Bool) -> String {
    guard isBytes else { return TextNumber.decimal(value, places: value == value.rounded() ? 0 : 2) }
    return (value < 0 ? "-" : "") + ByteCount(UInt64(min(abs(value), 1e18))).description
  }

  static func name(_ subject: GrowthReport.Subject, _ catalogue: Catalogue) -> String {
    switch subject {
    case .memory(let kind): catalogue.text("text.perf-memory-\(kind.rawValue)")
    default: catalogue.text("text.perf-subject-\(Self.key(subject))")
    }
  }

  private static func key(_ subject: GrowthReport.Subject) -> String {
    switch subject {
    case .resident: "resident"
    case .proportional: "proportional"
    case .memory(let kind): kind.rawValue
    case .descriptors: "descriptors"
    case .threads: "threads"
    }
  }

  private enum CodingKeys: String, CodingKey { case growth }

  private struct Growth: Encodable {
    let pid: Int32
    let duration: Double
    let looks: Int
    let lines: [Line]
    let threads: [Thread]
  }

  private struct Line: Encodable {
    let subject: String
    let first: Double
    let last: Double
    /// A second.
    let slope: Double?
    let low: Double?
    let high: Double?
    let grows: Bool?
  }

  private struct Thread: Encodable {
    let name: String
    let first: Int
    let last: Int
    let cpu: Double?
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let lines = report.lines.map { line in
      Line(
        subject: Self.key(line.subject), first: line.first, last: line.last, slope: line.trend?.slope,
        low: line.trend?.low, high: line.trend?.high, grows: line.trend?.grows)
    }
    let threads = report.threads.map { thread in
      Thread(name: thread.name, first: thread.first, last: thread.last, cpu: thread.processor)
    }
    try container.encode(
      Growth(pid: process, duration: report.duration, looks: report.count, lines: lines, threads: threads),
      forKey: .growth)
  }
}
