import ArgumentParser
import MPaaSCrash
import MPaaSSupport
import MPaaSTerminal

/// `mpaas crash list`: the reports that the capture commands kept.
struct CrashListCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("list", key: "crash.list") }

  @Argument(help: .text("command.crash.list.folder"), completion: .directory)
  var folder: String?

  @OptionGroup var common: CommonOptions

  func run(in context: Context) throws -> CrashList {
    let folder = self.folder.map(ReportFolder.init) ?? context.reports
    var list = CrashList(folder: folder.path)
    for entry in folder.entries() {
      switch entry.report {
      case .success(let report): list.reports.append(CrashList.Row(entry.path, report))
      case .failure(let error): context.terminal.warning(error.diagnostic)
      }
    }
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
    let exception: String?
    let signal: String?
    /// What the runtime said last, in its first line.
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
      exception = report.exception?.type
      signal = report.exception?.signal
      message = CrashText.message(report)
      function = blame.map(CrashText.name)
      file = blame?.file
      line = blame?.line
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
        StyledText(String(row.time.dropLast(6))), StyledText("\(row.process) [\(row.pid)]", .emphasis),
        StyledText(row.signal ?? "–", .bad), row.place,
        StyledText(row.path.split(separator: "/").last.map(String.init) ?? row.path, .path),
      ]
    }
    return [.table(Table(columns: columns, rows: rows))]
  }
}
