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
    if output != nil, isInPlace || inputs.areMany && !intoFolder {
      throw Diagnostic("symbolicate-one-output", exit: .usage)
    }
    let search = try servers.search(paths: symbols, in: context)
    let symbolicator = ReportSymbolicator.live(search).remembering()
    let writer = context.reportWriter()
    let placement = place.map { ReportPlacement($0, as: format, writer: writer) }
    let isJSON = context.terminal.settings.isJSON
    var outcome = SymbolicatedReports(areMany: inputs.areMany)
    var endsWithSummary = !(inputs.areMany && isJSON)
    if let output, intoFolder { try Directories.create(output) }
    try inputs.forEach(in: context, search: search) { name, read in
      let symbolicated = symbolicator.symbolicate(read.report)
      outcome.summary.add(symbolicated.missing)
      let file = try placement?.file(for: symbolicated.report, of: read, name: name)
      if let file {
        try write(file, in: context)
      } else if placement != nil {
        context.terminal.warning(Diagnostic("symbolicate-in-archive", ["path": name], at: .file(name), exit: .done))
      }
      let view = ReportView(
        symbolicated.report, path: file?.path ?? name, form: form, missing: symbolicated.missing)
      if inputs.areMany, isJSON {
        // On a line of its own, on a terminal too.
        results.put(text: try Terminal.json(view) + "\n")
      } else if let file {
        outcome.written.append(file.path)
        if !inputs.areMany { outcome.view = view }
      } else if inputs.areMany {
        // Each is shown when it is done; nobody waits for a thousand.
        try results.put(ReportTitle(name: name, isFirst: outcome.summary.reports == 1))
        if let format {
          try format.put(symbolicated.report, by: writer, to: results, of: context.terminal)
        } else {
          try results.put(ReportView(symbolicated.report, path: name, form: form))
        }
      } else if let format, !isJSON {
        try format.put(symbolicated.report, by: writer, to: results, of: context.terminal)
        endsWithSummary = false
      } else {
        outcome.view = view
      }
    }
    if endsWithSummary { try results.put(outcome) }
    return .done
  }

  private var intoFolder: Bool {
    output.map { $0.hasSuffix("/") || FileStatus($0)?.kind == .folder } ?? false
  }

  /// The files that reports go to; nil where they are printed.
  private var place: ReportPlacement.Place? {
    guard let output else { return isInPlace ? .origin : nil }
    if output == "-" { return nil }
    return intoFolder ? .folder(output) : .file(output)
  }

  private func write(_ file: PlacedReport, in context: Context) throws {
    if file.isBeside {
      context.terminal.note(
        StyledText(context.catalogue.text("text.symbolicate-beside", ["path": file.path]), .faint))
    }
    try file.write()
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

  init(areMany: Bool) {
    self.areMany = areMany
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
