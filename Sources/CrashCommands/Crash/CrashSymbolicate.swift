import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

/// `mpaas crash symbolicate REPORT…`: functions, files and lines for the frames of reports of any format.
struct CrashSymbolicateCommand: StreamingCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("symbolicate", key: "crash.symbolicate") }

  @Argument(help: .text("command.crash.symbolicate.reports"), completion: .reports)
  var reports: [String]

  @Option(name: .long, parsing: .upToNextOption, help: .text("command.crash.symbolicate.symbols"), completion: .file())
  var symbols: [String] = []

  @Option(name: [.short, .long], help: .text("command.crash.symbolicate.output"), completion: .file())
  var output: String?

  @Flag(name: .customLong("in-place"), help: .text("command.crash.symbolicate.in-place"))
  var isInPlace = false

  @Option(name: .customLong("to"), help: .text("command.crash.symbolicate.to"))
  var format: ReportOutput?

  @OptionGroup var form: ReportFormOptions
  @OptionGroup var servers: SymbolServerOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
    if isInPlace, reports.contains("-") { throw Diagnostic("symbolicate-input-in-place", exit: .usage) }
    let inputs = try ReportInputs(reports, in: context)
    let writer = context.reportWriter()
    let place = try ReportPlacement.Place(output: output, isInPlace: isInPlace, areMany: inputs.areMany)
    let search = try servers.search(paths: symbols, in: context)
    try place?.prepare()
    var symbolication = ReportSymbolication(
      by: ReportSymbolicator.live(search).remembering(),
      to: place.map { ReportPlacement($0, as: format, writer: writer) })
    var outcome = SymbolicatedReports(
      areMany: inputs.areMany, isLeft: !(inputs.areMany && context.terminal.settings.isJSON))
    try inputs.forEach(in: context, search: search) { name, read in
      let entry = try symbolication.add(read, name: name)
      try write(entry, in: context)
      outcome.summary = symbolication.summary
      try show(entry, &outcome, by: writer, to: results, of: context.terminal)
    }
    if outcome.isLeft { try results.put(outcome) }
    return .done
  }

  private func write(_ entry: ReportSymbolication.Entry, in context: Context) throws {
    if entry.hasNoFile {
      context.terminal.warning(
        Diagnostic("symbolicate-in-archive", ["path": entry.name], at: .file(entry.name), exit: .done))
    }
    guard let file = entry.file else { return }
    if file.isBeside {
      context.terminal.note(
        StyledText(context.catalogue.text("text.symbolicate-beside", ["path": file.path]), .faint))
    }
    try file.write()
  }

  /// Shows a report when it is done, of many each by itself, or leaves it to the end.
  private func show(
    _ entry: ReportSymbolication.Entry, _ outcome: inout SymbolicatedReports, by writer: ReportWriter,
    to results: ResultSink, of terminal: Terminal
  ) throws {
    let isJSON = terminal.settings.isJSON
    let view = ReportView(entry.report, path: entry.file?.path ?? entry.name, form: form, missing: entry.missing)
    if outcome.areMany, isJSON {
      // On a line of its own, on a terminal too.
      results.put(text: try Terminal.json(view) + "\n")
    } else if let file = entry.file {
      outcome.written.append(file.path)
      if !outcome.areMany { outcome.view = view }
    } else if outcome.areMany {
      try results.put(ReportTitle(name: entry.name, isFirst: outcome.summary.reports == 1))
      if let format {
        try format.put(entry.report, by: writer, to: results, of: terminal)
      } else {
        try results.put(ReportView(entry.report, path: entry.name, form: form))
      }
    } else if let format, !isJSON {
      try format.put(entry.report, by: writer, to: results, of: terminal)
      outcome.isLeft = false
    } else {
      outcome.view = view
    }
  }
}

/// The name of a report above it, where there are many.
private struct ReportTitle: Presentable {
  let name: String
  let isFirst: Bool

  func encode(to encoder: any Encoder) throws {}

  func document(_ catalogue: Catalogue) -> Document {
    let line = StyledText(verbatim: name, .path)
    return Document(lines: isFirst ? [line] : ["", line])
  }
}

/// Reports with symbols: one is printed by itself; of many what they lack is told in sum.
private struct SymbolicatedReports: Presentable {
  let areMany: Bool
  /// The report, where it is the only one.
  var view: ReportView?
  /// Paths of the files that reports went to.
  var written: [String] = []
  var summary = MissingSummary()
  /// Tells whether anything is left to print at the end.
  var isLeft: Bool

  init(areMany: Bool, isLeft: Bool) {
    self.areMany = areMany
    self.isLeft = isLeft
  }

  func encode(to encoder: any Encoder) throws {
    if let view { return try view.encode(to: encoder) }
    try MissingList(summary).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for path in written { document.line(StyledText(verbatim: path, .path)) }
    if written.isEmpty, let view { return view.document(catalogue) }
    if areMany {
      if written.isEmpty { document.line() }
      document.blocks += MissingList(summary).document(catalogue).blocks
    } else {
      for line in ReportView.lines(view?.missing ?? [], catalogue) { document.line(line) }
    }
    return document
  }
}
