import ArgumentParser
import MPaaSCrash
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

/// `mpaas crash symbolicate REPORT…`: functions, files and lines for the frames of reports.
struct CrashSymbolicateCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("symbolicate", key: "crash.symbolicate") }

  @Argument(help: .text("command.crash.symbolicate.reports"), completion: .reports)
  var reports: [String]

  @Option(name: .long, parsing: .upToNextOption, help: .text("command.crash.symbolicate.symbols"), completion: .file())
  var symbols: [String] = []

  @Option(name: [.short, .long], help: .text("command.crash.symbolicate.output"), completion: .file())
  var output: String?

  @Flag(name: .customLong("in-place"), help: .text("command.crash.symbolicate.in-place"))
  var isInPlace = false

  @OptionGroup var form: ReportFormOptions
  @OptionGroup var servers: SymbolServerOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> SymbolicatedReports {
    if output != nil, reports.count > 1 || isInPlace { throw Diagnostic("symbolicate-one-output", exit: .usage) }
    let search = try servers.search(paths: symbols, in: context)
    let symbolicator = ReportSymbolicator.live(search)
    var views: [ReportView] = []
    for name in reports {
      let (path, read) = try context.report(name)
      let report = ReportFile.walked(read, path: path, by: search)
      let result = await context.timed("symbolicate \(path)") { symbolicator.symbolicate(report) }
      let written = isInPlace ? path : output
      if let written, written != "-" { try IPSWriter.write(result.report, to: written) }
      views.append(ReportView(result.report, path: written ?? path, form: form, missing: result.missing))
    }
    return SymbolicatedReports(views: views, areWritten: isInPlace || output != nil && output != "-")
  }
}

/// Reports with symbols: one is printed by itself, several as a list.
struct SymbolicatedReports: Presentable {
  let views: [ReportView]
  /// Whether they went to files, so that only the paths and what is missing need telling.
  let areWritten: Bool

  private enum CodingKeys: String, CodingKey { case reports }

  func encode(to encoder: any Encoder) throws {
    if views.count == 1, let view = views.first { return try view.encode(to: encoder) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(views, forKey: .reports)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for (index, view) in views.enumerated() {
      if areWritten {
        document.line(StyledText(view.path, .path))
        for line in ReportView.lines(view.missing ?? [], catalogue) { document.line(line) }
      } else {
        if index > 0 { document.line() }
        document.blocks += view.document(catalogue).blocks
      }
    }
    return document
  }
}
