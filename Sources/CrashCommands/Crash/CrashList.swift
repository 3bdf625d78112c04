import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal

/// `mpaas crash list`: the reports that the capture commands kept.
struct CrashListCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("list", key: "crash.list") }

  @Argument(help: .text("command.crash.list.folder"), completion: .file())
  var folders: [String] = []

  @OptionGroup var common: CommonOptions

  func run(in context: Context) throws -> CrashList {
    let named = folders.isEmpty ? [context.directories.crashes] : folders
    var list = CrashList(folder: named.joined(separator: ", "))
    // The folder of captured reports is made by the first of them.
    if folders.isEmpty, FileStatus(named[0]) == nil { return list }
    var rows: [(time: CrashReport.Timestamp, row: CrashList.Row)] = []
    _ = try ReportCollection(named).forEach {
      context.terminal.warning($0)
    } visit: { name, read in
      rows.append((read.report.captured, CrashList.Row(name, read.report)))
    }
    list.reports = rows.sorted {
      ($1.time.seconds, $1.time.nanoseconds, $1.row.path) < ($0.time.seconds, $0.time.nanoseconds, $0.row.path)
    }.map(\.row)
    return list
  }
}

/// Reports, a line each.
struct CrashList: Presentable {
  struct Row: Encodable {
    let path: String
    let incident: String
    let time: String
    let process: String
    let pid: Int32
    let kind: String
    let exception: String?
    let signal: String?
    /// The last words of the runtime, in its first line.
    let message: String?
    /// The function to blame.
    let function: String?
    let file: String?
    let line: Int?

    init(_ path: String, _ report: CrashReport) {
      let blame = report.blame?.call
      self.path = path
      incident = report.incident
      time = report.captured.text(digits: 0)
      process = report.process.name
      pid = report.process.pid
      kind = report.kind.rawValue
      exception = report.exception?.type
      signal = report.exception?.signal
      message = CrashText.message(report)
      function = blame.map(CrashText.name)
      file = blame?.file
      line = blame?.line
    }

    /// The signal; of reports without one the exception, and of those that are no crashes what they are.
    var cause: String {
      if let word = [signal, exception].compactMap(\.self).first(where: { !$0.isEmpty }) { return word }
      return kind == "crash" ? "–" : kind
    }

    var place: StyledText {
      var text = StyledText(function ?? "", .function)
      if let name = file?.split(separator: "/").last {
        text.append(" (")
        text.append(String(name), .path)
        if let line { text.append(":\(line)", .number) }
        text.append(")")
      }
      return text
    }
  }

  let folder: String
  var reports: [Row] = []

  func document(_ catalogue: Catalogue) -> Document {
    guard !reports.isEmpty else {
      return [.line(StyledText(catalogue.text("text.crash-list-empty", ["folder": folder]), .faint))]
    }
    let columns = ["time", "process", "exception", "place", "file"].map {
      Table.Column(catalogue.text("text.crash-list-\($0)"))
    }
    let rows = reports.map { row in
      [
        StyledText(String(row.time.dropLast(6))),
        StyledText(row.pid == 0 ? row.process : "\(row.process) [\(row.pid)]", .emphasis),
        StyledText(row.cause, .bad), row.place,
        StyledText(row.path.split(separator: "/").last.map(String.init) ?? row.path, .path),
      ]
    }
    return [.table(Table(columns: columns, rows: rows))]
  }
}
