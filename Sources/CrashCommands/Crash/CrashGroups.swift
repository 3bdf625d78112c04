package import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
package import MPaaSTerminal

/// Groups of reports: a table, and charts over time.
package struct CrashGroups: Presentable {
  struct Row: Sendable {
    let group: ReportGroup
    /// Tells whether another group has the same function, so that only the caller tells them apart.
    let sharesFunction: Bool
    let counts: [Int]
    let trend: GroupTrend
    let explanation: GroupExplanation?
  }

  private let rows: [Row]
  private let total: [Int]
  private let buckets: TimeBuckets?
  private let tally: GroupTally
  private let hidden: Int
  /// Tells whether the reports are of several programs, which the table then tells.
  private let hasManyPrograms: Bool
  /// The rules file, where it was changed.
  private let written: String?
  private static let mostBuckets = 24

  init(
    _ tally: GroupTally, order: CrashGroupCommand.Order, limit: Int?, only: Set<GroupID>, rules: GroupingRulesFile,
    explains: Bool, written: String?
  ) throws {
    self.tally = tally
    self.written = written
    let times = tally.groups.values.flatMap(\.times)
    let buckets = times.min().flatMap { first in
      times.max().map { TimeBuckets(from: first, to: $0, most: Self.mostBuckets) }
    }
    self.buckets = buckets
    total = buckets?.counts(times) ?? []
    let period = (times.min() ?? 0)...(times.max() ?? 0)
    let wanted = tally.groups.values.filter { only.isEmpty || only.contains($0.id) }
    let sorted = wanted.sorted { Self.rank($0, order) > Self.rank($1, order) }
    let shown = sorted.prefix(limit ?? .max)
    hidden = sorted.count - shown.count
    hasManyPrograms = Set(tally.groups.values.flatMap(\.processes.keys)).count > 1
    var classifier = FrameClassifier(rules: rules.rules)
    func name(_ group: ReportGroup) -> [String] { [group.exception, group.module, group.function ?? ""] }
    let names = Dictionary(shown.map { (name($0), 1) }, uniquingKeysWith: +)
    rows = try shown.map { group in
      Row(
        group: group, sharesFunction: names[name(group)] != 1, counts: buckets?.counts(group.times) ?? [],
        trend: GroupTrend(times: group.times, period: period),
        explanation: explains ? try GroupExplanation(group, &classifier) : nil)
    }
  }

  private static func rank(_ group: ReportGroup, _ order: CrashGroupCommand.Order) -> (Int64, Int64, GroupID) {
    let count = Int64(group.count)
    switch order {
    case .count: return (count, group.last ?? .min, group.id)
    case .last: return (group.last ?? .min, count, group.id)
    case .new: return (group.first ?? .min, count, group.id)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }

  private var json: JSONValue {
    var object: JSONValue.Object = [
      "reports": JSONValue(tally.reports), "groups": .array(rows.map(json)),
      "unreadable": JSONValue(tally.problemCount),
      "other_files": JSONValue(tally.others), "left_out": JSONValue(tally.leftOut), "hidden": JSONValue(hidden),
    ]
    if let buckets {
      object["buckets"] = [
        "start": .string(Self.time(buckets.start)), "width_seconds": JSONValue(buckets.width),
        "counts": .array(total.map { JSONValue($0) }),
      ]
    }
    object["rules"] = written.map(JSONValue.string)
    return .object(object)
  }

  private func json(_ row: Row) -> JSONValue {
    let group = row.group
    func names(_ counts: [String: Int]) -> JSONValue {
      .array(Self.sorted(counts).map { ["name": .string($0.key), "count": JSONValue($0.value)] })
    }
    var object: JSONValue.Object = [
      "id": .string(group.id.description), "count": JSONValue(group.count), "kind": .string(group.kind.rawValue),
      "exception": .string(group.exception), "strategy": .string(group.strategy.rawValue),
      "function": group.function.map(JSONValue.string) ?? .null, "module": .string(group.module),
      "caller": group.caller.map(JSONValue.string) ?? .null, "versions": names(group.versions),
      "systems": names(group.systems), "devices": names(group.devices), "processes": names(group.processes),
      "first_seen": group.first.map { .string(Self.time($0)) } ?? .null,
      "last_seen": group.last.map { .string(Self.time($0)) } ?? .null,
      "trend": .string(row.trend.rawValue), "buckets": .array(row.counts.map { JSONValue($0) }),
      "example": .string(group.example), "members": .array(group.members.sorted().map(JSONValue.string)),
    ]
    object["file"] = group.place.map { .string($0.file) }
    object["line"] = group.place?.line.map { JSONValue($0) }
    if group.merged.count > 1 || group.merged.first != group.id {
      object["fingerprints"] = .array(group.merged.sorted().map { .string($0.description) })
    }
    object["split"] = group.split.map(JSONValue.string)
    object["frames"] = row.explanation?.json
    return .object(object)
  }

  package static func time(_ seconds: Int64, digits: Int = 0) -> String {
    CrashReport.Timestamp(seconds: seconds).text(digits: digits)
  }

  /// The most frequent first.
  static func sorted(_ counts: [String: Int]) -> [(key: String, value: Int)] {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  }
}

// MARK: - In words

extension CrashGroups {
  package func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    if let written {
      document.line(StyledText(catalogue.text("text.group-rules-written", ["path": written]), .good))
      document.line()
    }
    guard !rows.isEmpty else {
      document.line(StyledText(catalogue.text("text.group-none"), .faint))
      return document
    }
    let names =
      ["id", "count"] + (hasManyPrograms ? ["process"] : []) + [
        "trend", "last", "first", "versions", "systems", "exception", "place",
      ]
    let optional: Set<String> = ["trend", "last", "first", "versions", "systems"]
    let columns = names.map {
      Table.Column(catalogue.text("text.group-\($0)"), isNumeric: $0 == "count", isOptional: optional.contains($0))
    }
    document.table(Table(columns: columns, rows: rows.map { cells($0, catalogue) }))
    for row in rows {
      guard let explanation = row.explanation else { continue }
      document.line()
      document.blocks += explanation.document(row.group, catalogue).blocks
    }
    document.line()
    chart(catalogue, &document)
    func counted(_ key: String, _ count: Int) -> String {
      catalogue.text("text.group-\(key)\(count == 1 ? "-one" : "")", ["count": "\(count)"])
    }
    var values = ["reports": counted("reports", tally.reports), "groups": counted("groups", tally.groups.count)]
    if hidden > 0 { values["hidden"] = "\(hidden)" }
    let summary = catalogue.text(hidden > 0 ? "text.group-summary-hidden" : "text.group-summary", values)
    document.line(StyledText(summary, .emphasis))
    return document
  }

  private func cells(_ row: Row, _ catalogue: Catalogue) -> [StyledText] {
    let group = row.group
    var line = StyledText(Sparkline.line(row.counts) + " ", .number)
    switch row.trend {
    case .new: line.append("✱", .bad)
    case .rising: line.append("↗", .bad)
    case .falling: line.append("↘", .good)
    case .steady: line.append("→", .faint)
    case .unknown: line.append(" ")
    }
    func day(_ seconds: Int64?) -> StyledText { StyledText(seconds.map { String(Self.time($0).prefix(10)) } ?? "–") }
    let program = hasManyPrograms ? [Self.few(group.processes)] : []
    return [StyledText(group.id.description, .address), StyledText("\(group.count)", .emphasis)] + program + [
      line, day(group.last),
      day(group.first), Self.few(group.versions), Self.few(group.systems), StyledText(group.exception, .bad),
      Self.place(group, catalogue, showsCaller: row.sharesFunction),
    ]
  }

  /// The most frequent one, and how many others there are.
  private static func few(_ counts: [String: Int]) -> StyledText {
    guard let first = sorted(counts).first else { return StyledText("–", .faint) }
    let more = counts.count - 1
    return StyledText(first.key.truncated(toWidth: 24)) + StyledText(more > 0 ? " +\(more)" : "", .faint)
  }

  package static func place(_ group: ReportGroup, _ catalogue: Catalogue, showsCaller: Bool = false) -> StyledText {
    var text = StyledText(
      group.function ?? catalogue.text("text.group-nameless"), group.function == nil ? .faint : .function)
    if !group.module.isEmpty { text.append(" · \(group.module)") }
    if let place = group.place {
      text.append(" (")
      text.append(FileSystem.name(of: place.file), .path)
      if let line = place.line { text.append(":\(line)", .number) }
      text.append(")")
    }
    if showsCaller, let caller = group.caller { text.append(" ← \(caller)", .faint) }
    if let split = group.split { text.append(" [\(split)]", .faint) }
    return text
  }

  private func chart(_ catalogue: Catalogue, _ document: inout Document) {
    guard let buckets, total.count > 1 else { return }
    let most = total.max() ?? 0
    let label = String(most)
    for (index, line) in Sparkline.chart(total, rows: 4, columnWidth: 2).enumerated() {
      let side = index == 0 ? label : index == 3 ? "0" : ""
      document.line(
        StyledText(side.padded(toWidth: label.displayWidth, trailing: true) + " ┤", .faint) + StyledText(line, .number))
    }
    let start = String(Self.time(buckets.start).prefix(buckets.width < 86_400 ? 16 : 10))
    let end = String(
      Self.time(buckets.start + buckets.width * Int64(total.count - 1)).prefix(buckets.width < 86_400 ? 16 : 10))
    let gap = max(2, total.count * 2 - start.count - end.count)
    document.line(
      StyledText(
        String(repeating: " ", count: label.count + 2) + start + String(repeating: " ", count: gap) + end, .faint))
    document.line()
  }
}
