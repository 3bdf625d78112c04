import CrashCommands
import MPaaSCrash
import MPaaSSupport
import MPaaSTerminal

/// Hangs by the function that they hang in: a table with durations.
struct HangGroups: Presentable {
  /// Those that took most time first.
  private let groups: [ReportGroup]
  private let tally: GroupTally

  init(_ tally: GroupTally) {
    self.tally = tally
    func rank(_ group: ReportGroup) -> (Double, GroupID) {
      (Double(group.count) * (group.hangs.quantile(0.5) ?? 0), group.id)
    }
    groups = tally.groups.values.sorted { rank($0) > rank($1) }
  }

  func encode(to encoder: any Encoder) throws {
    let object: JSONValue.Object = [
      "reports": JSONValue(tally.reports), "groups": .array(groups.map(json)),
      "unreadable": JSONValue(tally.problemCount), "other_reports": JSONValue(tally.leftOut),
      "other_files": JSONValue(tally.others),
    ]
    try JSONValue.object(object).encode(to: encoder)
  }

  private func json(_ group: ReportGroup) -> JSONValue {
    func time(_ seconds: Int64?) -> JSONValue { seconds.map { .string(CrashGroups.time($0)) } ?? .null }
    func length(_ part: Double) -> JSONValue { group.hangs.quantile(part).flatMap { JSONValue($0) } ?? .null }
    return .object([
      "id": .string(group.id.description), "count": JSONValue(group.count),
      "function": group.function.map(JSONValue.string) ?? .null, "module": .string(group.module),
      "p50_seconds": length(0.5), "p99_seconds": length(0.99), "longest_seconds": length(1),
      "busy": JSONValue(group.hangs.busy), "waiting": JSONValue(group.hangs.waiting),
      "killed": JSONValue(group.hangs.unended), "first_seen": time(group.first), "last_seen": time(group.last),
      "example": .string(group.example), "members": .array(group.members.sorted().map(JSONValue.string)),
    ])
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    guard !groups.isEmpty else {
      document.line(StyledText(catalogue.text("text.hangs-none"), .faint))
      return document
    }
    let names = ["id", "count", "p50", "p99", "work", "killed", "first", "last", "place"]
    let numeric: Set<String> = ["count", "p50", "p99", "killed"]
    let columns = names.map {
      Table.Column(catalogue.text("text.hangs-\($0)"), isNumeric: numeric.contains($0), isOptional: $0 == "first")
    }
    document.table(Table(columns: columns, rows: groups.map { cells($0, catalogue) }))
    return document
  }

  private func cells(_ group: ReportGroup, _ catalogue: Catalogue) -> [StyledText] {
    func day(_ seconds: Int64?) -> StyledText {
      StyledText(seconds.map { String(CrashGroups.time($0).prefix(10)) } ?? "–")
    }
    func length(_ part: Double) -> StyledText {
      StyledText(group.hangs.quantile(part).map { "\(($0 * 1000).rounded() / 1000) s" } ?? "–", .number)
    }
    let work = group.hangs.busy > group.hangs.waiting ? "busy" : group.hangs.waiting > 0 ? "waiting" : "unknown"
    return [
      StyledText(group.id.description, .address), StyledText("\(group.count)", .emphasis), length(0.5), length(0.99),
      StyledText(catalogue.text("text.hangs-\(work)")), StyledText("\(group.hangs.unended)"), day(group.first),
      day(group.last), CrashGroups.place(group, catalogue),
    ]
  }
}
