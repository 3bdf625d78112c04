import ArgumentParser
import CommandKit
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSSupport
import MPaaSTerminal

extension LogCommand {
  /// `mpaas log stats FILE…`: how many records there are, of what kind, and when.
  struct Stats: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("stats", key: "log.stats") }

    @Argument(help: .text("command.log.files"), completion: .file())
    var files: [String] = []

    @Option(help: .text("command.log.stats.top", valueName: "count"))
    var top = 10

    @OptionGroup var filter: LogFilterOptions
    @OptionGroup var opening: LogOpeningOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> LogStatsView {
      let options = LogReadOptions(try filter.query(opening.zone, in: context))
      let inputs = try context.logInputs(files, try opening.opening(in: context), options.query)
      var statistics = LogStatistics()
      let summary = try LogMerge(inputs, options).run { item in
        statistics.add(item)
        return true
      }
      let exit = context.tell(summary.problems)
      return LogStatsView(statistics, top: max(top, 0), zone: opening.zone, exit: exit)
    }
  }
}

/// Counts of records.
struct LogStatsView: Presentable {
  struct Count: Encodable {
    let name: String
    let records: Int
  }

  let records: Int
  let first: String?
  let last: String?
  let levels: [Count]
  let types: [Count]
  let tags: [Count]
  let hours: [Count]
  let clockJumps: Int
  let dropped: Int64
  let exit: ExitStatus

  enum CodingKeys: String, CodingKey { case records, first, last, levels, types, tags, hours, clockJumps, dropped }

  init(_ statistics: LogStatistics, top: Int, zone: LogZone, exit: ExitStatus) {
    records = statistics.records
    first = statistics.first.map { LogFileList.text($0, zone) }
    last = statistics.last.map { LogFileList.text($0, zone) }
    levels = statistics.levels.sorted { $0.key > $1.key }.map { Count(name: $0.key.name, records: $0.value) }
    types = Self.sorted(statistics.types.map { ($0.key.rawValue, $0.value) })
    tags = Array(Self.sorted(statistics.tags.map { ($0.key, $0.value) }).prefix(top))
    hours = statistics.hours.sorted { $0.key < $1.key }.map { hour, count in
      Count(name: LogFileList.text(hour * 3_600_000_000_000, zone), records: count)
    }
    clockJumps = statistics.clockJumps
    dropped = statistics.dropped
    self.exit = exit
  }

  private static func sorted(_ counts: [(String, Int)]) -> [Count] {
    counts.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map { Count(name: $0.0, records: $0.1) }
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    var line = StyledText(catalogue.text("text.log-stats-records", ["count": String(records)]), .emphasis)
    if let first, let last { line.append("  \(first) – \(last)", .faint) }
    document.line(line)
    for (key, counts) in [("levels", levels), ("types", types), ("tags", tags), ("hours", hours)] where !counts.isEmpty
    {
      let columns = [
        Table.Column(catalogue.text("text.log-stats-\(key)")),
        Table.Column(catalogue.text("text.log-records"), isNumeric: true),
      ]
      document.table(
        Table(columns: columns, rows: counts.map { [StyledText($0.name), StyledText(String($0.records), .number)] }))
    }
    if clockJumps > 0 {
      document.line(StyledText(catalogue.text("text.log-stats-jumps", ["count": String(clockJumps)]), .warning))
    }
    if dropped > 0 {
      document.line(StyledText(catalogue.text("text.log-stats-dropped", ["count": String(dropped)]), .warning))
    }
    return document
  }
}
