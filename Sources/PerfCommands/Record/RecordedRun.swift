import MPaaSSampling
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// A recording as it is told: its threads, the busiest functions, what was waited for, and what it cost.
struct RecordedRun: Presentable {
  private let recording: Recording
  private let summary: RecordingSummary
  private let output: String?

  init(_ recording: Recording, _ summary: RecordingSummary, output: String?) {
    self.recording = recording
    self.summary = summary
    self.output = output
  }

  var exit: ExitStatus { recording.exit.map { ExitStatus(rawValue: $0) } ?? .done }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    let values = [
      "time": TraceTime.text(Int64(clamping: recording.duration)), "rate": "\(recording.rate)",
      "threads": "\(summary.threads.count)",
      "method": catalogue.text("text.perf-method-\(recording.method.rawValue)"),
    ]
    document.line(
      StyledText("\(recording.name) [\(recording.process)]: ", .emphasis)
        + StyledText(catalogue.text("text.perf-recorded", values)))
    document.line()
    document.table(threads(catalogue))
    if !summary.hottest.isEmpty {
      document.line()
      document.line(StyledText(catalogue.text("text.perf-running-themselves"), .heading))
      document.table(functions(catalogue))
    }
    if !summary.waits.isEmpty {
      document.line()
      document.line(StyledText(catalogue.text("text.perf-waits"), .heading))
      document.table(waits(catalogue))
    }
    document.line()
    for line in cost(catalogue) { document.line(StyledText(line, .faint)) }
    if let output { document.line(StyledText(output, .path)) }
    return document
  }

  private static func share(_ part: UInt64, of whole: UInt64) -> String {
    TraceTime.share(Int64(clamping: part), of: Int64(clamping: whole))
  }

  private func column(_ key: String, _ catalogue: Catalogue, isNumeric: Bool = false) -> Table.Column {
    Table.Column(catalogue.text("text.perf-column-\(key)"), isNumeric: isNumeric)
  }

  private func threads(_ catalogue: Catalogue) -> Table {
    var table = Table(
      columns: [column("thread", catalogue)]
        + ["running", "ready", "waiting", "samples"].map { column($0, catalogue, isNumeric: true) })
    for thread in summary.threads {
      var name = StyledText(thread.name, .emphasis)
      name.append(" [\(thread.id)]")
      if thread.process != recording.process { name.append("  \(thread.processName) [\(thread.process)]", .faint) }
      let times = [thread.running, thread.ready, thread.waiting].map {
        StyledText(TraceTime.text(Int64(clamping: $0)), .number)
      }
      table.rows.append([name] + times + [StyledText("\(thread.samples)")])
    }
    return table
  }

  private func functions(_ catalogue: Catalogue) -> Table {
    var table = Table(
      columns: [
        column("own", catalogue, isNumeric: true), column("share", catalogue, isNumeric: true),
        column("function", catalogue), column("image", catalogue),
      ])
    for function in summary.hottest {
      table.rows.append([
        StyledText(TraceTime.text(Int64(clamping: function.own)), .number),
        StyledText(Self.share(function.own, of: recording.cost.programTime), .faint),
        StyledText(function.name, .function), StyledText(function.image ?? ""),
      ])
    }
    return table
  }

  private func waits(_ catalogue: Catalogue) -> Table {
    var table = Table(
      columns: [
        column("time", catalogue, isNumeric: true), column("count", catalogue, isNumeric: true),
        column("for", catalogue), column("function", catalogue),
      ])
    for wait in summary.waits {
      let known = [wait.call, wait.kernelFunction].compactMap { $0 }
      let reason = known.isEmpty ? catalogue.text("text.perf-unknown") : known.joined(separator: ", ")
      var place = StyledText(wait.function ?? "", .function)
      if let image = wait.image { place.append("  \(image)", .faint) }
      table.rows.append([
        StyledText(TraceTime.text(Int64(clamping: wait.time)), .number), StyledText("\(wait.count)"),
        StyledText(reason), place,
      ])
    }
    return table
  }

  private func cost(_ catalogue: Catalogue) -> [String] {
    let cost = recording.cost
    var lines: [String] = []
    if let sampled = cost.sampledTime {
      lines.append(
        catalogue.text("text.perf-cost-events", ["share": Self.share(sampled, of: cost.programTime)]))
    } else if recording.method == .stops {
      let whole = recording.duration.multipliedReportingOverflow(by: UInt64(max(summary.threads.count, 1)))
      lines.append(
        catalogue.text(
          "text.perf-cost-stops", ["share": Self.share(cost.stoppedTime, of: whole.partialValue)]))
    }
    lines.append(
      catalogue.text("text.perf-cost-own", ["share": Self.share(cost.ownTime, of: recording.duration)]))
    if cost.lost > 0 { lines.append(catalogue.text("text.perf-lost", ["count": "\(cost.lost)"])) }
    if cost.cut > 0 { lines.append(catalogue.text("text.perf-cut", ["count": "\(cost.cut)"])) }
    return lines
  }
}

extension RecordedRun {
  private enum CodingKeys: String, CodingKey {
    case process, pid, method, rate, duration, samples, stacks, threads, hottest, waits, cost, output
  }

  private struct Thread: Encodable {
    let id: Int32
    let name: String
    let pid: Int32
    let process: String
    let running: Double
    let ready: Double
    let waiting: Double
    let samples: Int
  }

  private struct Function: Encodable {
    let function: String
    let image: String?
    let own: Double
  }

  private struct Wait: Encodable {
    let call: String?
    let kernelFunction: String?
    let function: String?
    let image: String?
    let time: Double
    let count: Int
  }

  private struct Cost: Encodable {
    let own: Double
    let program: Double
    let sampled: Double?
    let stopped: Double
    let lost: UInt64
    let cut: Int
  }

  private static func seconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1e9 }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(recording.name, forKey: .process)
    try container.encode(recording.process, forKey: .pid)
    try container.encode(recording.method, forKey: .method)
    try container.encode(recording.rate, forKey: .rate)
    try container.encode(Self.seconds(recording.duration), forKey: .duration)
    try container.encode(recording.samples.count, forKey: .samples)
    try container.encode(recording.stacks.count, forKey: .stacks)
    let threads = summary.threads.map { thread in
      Thread(
        id: thread.id, name: thread.name, pid: thread.process, process: thread.processName,
        running: Self.seconds(thread.running), ready: Self.seconds(thread.ready),
        waiting: Self.seconds(thread.waiting), samples: thread.samples)
    }
    try container.encode(threads, forKey: .threads)
    let hottest = summary.hottest.map { Function(function: $0.name, image: $0.image, own: Self.seconds($0.own)) }
    try container.encode(hottest, forKey: .hottest)
    let waits = summary.waits.map { wait in
      Wait(
        call: wait.call, kernelFunction: wait.kernelFunction, function: wait.function, image: wait.image,
        time: Self.seconds(wait.time), count: wait.count)
    }
    try container.encode(waits, forKey: .waits)
    let cost = recording.cost
    let told = Cost(
      own: Self.seconds(cost.ownTime), program: Self.seconds(cost.programTime),
      sampled: cost.sampledTime.map(Self.seconds), stopped: Self.seconds(cost.stoppedTime), lost: cost.lost,
      cut: cost.cut)
    try container.encode(told, forKey: .cost)
    try container.encodeIfPresent(output, forKey: .output)
  }
}
