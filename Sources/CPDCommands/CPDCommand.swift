import ArgumentParser
import CommandKit
import MPaaSCPD
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// `mpaas cpd PATH…`: code that stands at several places.
struct CPDCommand: StreamingCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("cpd", key: "cpd") }

  @Argument(help: .text("command.cpd.paths", valueName: "path"), completion: .file())
  var paths: [String] = []

  @Option(parsing: .upToNextOption, help: .text("command.cpd.between", valueName: "path"), completion: .directory)
  var between: [String] = []

  @OptionGroup var search: CPDSearchOptions
  @OptionGroup var files: CPDFileOptions

  @Option(help: .text("command.cpd.baseline", valueName: "file"), completion: .file(extensions: ["json"]))
  var baseline: String?

  @Option(help: .text("command.cpd.write-baseline", valueName: "file"), completion: .file(extensions: ["json"]))
  var writeBaseline: String?

  @Option(help: .text("command.cpd.changed-since", valueName: "revision"))
  var changedSince: String?

  @Option(help: .text("command.cpd.max-percent", valueName: "number"))
  var maxPercent: Double?

  @Flag(inversion: .prefixedNo, help: .text("command.cpd.cache"))
  var cache: Bool?

  @Flag(help: .text("command.cpd.code"))
  var code = false

  @Option(help: .text("command.cpd.format", valueName: "format"))
  var format = CPDFormat.text

  @Option(help: .text("command.cpd.output", valueName: "file"), completion: .file())
  var output: String?

  @OptionGroup var common: CommonOptions

  /// Bytes of sources whose search takes so long that its result is kept where nothing else is said.
  private static let slow = 4 << 20

  func validate() throws {
    guard between.isEmpty || between.count >= 2 else {
      throw ValidationError(Catalogue.current.text("text.cpd-between-two"))
    }
  }

  func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
    let roots = paths + between
    let places = roots.isEmpty ? ["."] : roots
    let tree = try files.tree()
    let found = try await context.timed("find sources") { try tree.files(places) }
    let options = try search.options()
    var report = await context.timed("compare \(found.count) sources") { searched(found, options, in: context) }
    if !between.isEmpty {
      let first = paths.count
      report.keepClones(
        across: Dictionary(found.map { ($0.path, $0.root - first) }) { one, _ in one }.filter { $0.value >= 0 })
    }
    let whole = report
    var known = 0
    if let baseline { known = report.keepClones(newTo: try CloneBaseline(path: baseline)) }
    if let changedSince {
      report.keepClones(touching: try places.map { try ChangedLines(since: changedSince, in: $0) })
    }
    if let writeBaseline { try Bytes(Array(CloneBaseline(whole).text.utf8)).write(to: writeBaseline) }
    var view = CPDView(
      report, CloneTexts(report, ignoresImports: options.ignoresImports), known: known, maximum: maxPercent,
      showsCode: code)
    view.isAccepted = writeBaseline != nil
    try put(view, in: context, results)
    return view.exit
  }

  private func searched(_ found: [SourceFile], _ options: CloneOptions, in context: Context) -> CloneReport {
    let skips = !files.generated
    let isKept = cache ?? (found.reduce(0) { $0 + $1.size } >= Self.slow)
    guard isKept else { return CloneReport(found, options, skipsGenerated: skips) }
    let cache = ReportCache(folder: context.directories.cache + "/cpd")
    let key = ReportCache.key(found, options, skipsGenerated: skips)
    if let report = cache.report(key, found) { return report }
    let report = CloneReport(found, options, skipsGenerated: skips)
    cache.keep(report, key, found)
    return report
  }

  private func put(_ view: CPDView, in context: Context, _ results: ResultSink) throws {
    let writer = CPDWriter(view, context.catalogue, now: context.now())
    let place = ResultPlace(output)
    if let file = place.file {
      var text: [UInt8] = []
      let format = context.terminal.settings.isJSON && format == .text ? .json : format
      try writer.write(format) { text += $0.utf8 }
      try Bytes(text).write(to: file)
      if format != .text { try results.put(view.withoutClones) }
    } else if format == .text || context.terminal.settings.isJSON {
      try results.put(view)
    } else {
      try writer.write(format) { results.put(text: $0) }
    }
  }
}
