import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

/// `mpaas crash symbolicate REPORT…`: functions, files and lines for the frames of reports of any format.
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

  @Option(name: .customLong("to"), help: .text("command.crash.symbolicate.to"))
  var format: ReportOutput?

  @OptionGroup var form: ReportFormOptions
  @OptionGroup var servers: SymbolServerOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> SymbolicatedReports {
    if isInPlace, reports.contains("-") { throw Diagnostic("symbolicate-input-in-place", exit: .usage) }
    let inputs = try ReportInputs(reports, in: context)
    if output != nil, isInPlace || inputs.areMany && !intoFolder {
      throw Diagnostic("symbolicate-one-output", exit: .usage)
    }
    let search = try servers.search(paths: symbols, in: context)
    let symbolicator = ReportSymbolicator.live(search).remembering()
    let isStream = inputs.areMany && context.terminal.settings.isJSON
    var result = SymbolicatedReports(areMany: inputs.areMany)
    if let output, intoFolder { try Directories.create(output) }
    try inputs.forEach(in: context, search: search) { name, read in
      let symbolicated = symbolicator.symbolicate(read.report)
      result.summary.add(symbolicated.missing)
      let written = try write(symbolicated.report, of: read, name, in: context)
      let view = ReportView(symbolicated.report, path: written ?? name, form: form, missing: symbolicated.missing)
      if isStream {
        context.terminal.data.write(try Terminal.json(view) + "\n")
      } else if let written {
        result.written.append(written)
        if !inputs.areMany { result.views.append(view) }
      } else if inputs.areMany {
        // Each is shown when it is done; nobody waits for a thousand.
        if result.summary.reports > 1 { context.terminal.print([.line("")]) }
        context.terminal.print([.line(StyledText(verbatim: name, .path))])
        try printed(symbolicated.report, view, in: context)
      } else if let format, !context.terminal.settings.isJSON {
        try format.print(symbolicated.report, in: context)
        result.isPrinted = true
      } else {
        result.views.append(view)
      }
    }
    result.isTold = isStream || result.isPrinted
    return result
  }

  private func printed(_ report: CrashReport, _ view: ReportView, in context: Context) throws {
    if let format {
      try format.print(report, in: context)
    } else {
      context.terminal.print(ReportView(report, path: view.path, form: form).document(context.catalogue))
    }
  }

  private var intoFolder: Bool {
    output.map { $0.hasSuffix("/") || FileStatus($0)?.kind == .folder } ?? false
  }

  /// Writes the report where it was asked for; nil where it is to be printed.
  private func write(
    _ report: CrashReport, of original: ReadReport, _ name: String, in context: Context
  ) throws -> String? {
    if output == "-" || output == nil && !isInPlace { return nil }
    let asked = format ?? (isInPlace || intoFolder ? nil : output.flatMap(ReportOutput.init(fileEnding:)))
    let keepsFormat = format == nil && (asked?.isFormat(original.format?.name) ?? true)
    let own = keepsFormat ? try original.rewritten(with: report) : nil
    let content = try own ?? (asked ?? .ips).bytes(of: report, in: context)
    let ending = "." + (asked ?? .ips).fileEnding
    var path = output ?? name
    if isInPlace {
      guard let kind = FileStatus(name)?.kind, kind != .other else {
        context.terminal.warning(Diagnostic("symbolicate-in-archive", ["path": name], at: .file(name), exit: .done))
        return nil
      }
      if own == nil {
        path = name.hasSuffix(ending) ? name : name + ending
        context.terminal.note(StyledText(context.catalogue.text("text.symbolicate-beside", ["path": path]), .faint))
      }
    } else if let output, intoFolder {
      let flat = FileSystem.name(of: name)
      let base = output.hasSuffix("/") ? output : output + "/"
      path = Self.free(base + flat, own == nil && !flat.hasSuffix(ending) ? ending : "")
    }
    try Bytes(content).write(to: path)
    return path
  }

  /// A name that no file has: two reports of one name may come from two folders.
  private static func free(_ path: String, _ ending: String) -> String {
    var candidate = path + ending
    var number = 2
    while FileStatus(candidate) != nil {
      let dot = path.lastIndex(of: ".").flatMap { $0 > (path.lastIndex(of: "/") ?? path.startIndex) ? $0 : nil }
      let stem = dot.map { path[..<$0] } ?? path[...]
      candidate = "\(stem)-\(number)\(dot.map { path[$0...] } ?? "")\(ending)"
      number += 1
    }
    return candidate
  }
}

/// Reports with symbols: one is printed by itself; of many what they lack is told in sum.
struct SymbolicatedReports: Presentable {
  let areMany: Bool
  var views: [ReportView] = []
  /// Where reports went.
  var written: [String] = []
  /// Whether the one report was printed in another format.
  var isPrinted = false
  var summary = MissingSummary()
  /// Whether all was told already.
  var isTold = false

  init(areMany: Bool) {
    self.areMany = areMany
  }

  func encode(to encoder: any Encoder) throws {
    if let view = views.first, !areMany { return try view.encode(to: encoder) }
    try MissingList(summary).encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for path in written { document.line(StyledText(verbatim: path, .path)) }
    if written.isEmpty, let view = views.first, !areMany { return view.document(catalogue) }
    if areMany {
      if written.isEmpty { document.line() }
      document.blocks += MissingList(summary).document(catalogue).blocks
    } else {
      for line in ReportView.lines(views.first?.missing ?? [], catalogue) { document.line(line) }
    }
    return document
  }
}
