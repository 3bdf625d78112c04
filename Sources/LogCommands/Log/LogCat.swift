import ArgumentParser
import CommandKit
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSSupport
import MPaaSTerminal

extension LogCommand {
  /// `mpaas log cat FILE…`: records of many files, merged by time.
  struct Cat: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("cat", key: "log.cat") }

    @Argument(help: .text("command.log.files"), completion: .file())
    var files: [String] = []

    @OptionGroup var filter: LogFilterOptions
    @OptionGroup var printing: LogPrintOptions
    @OptionGroup var opening: LogOpeningOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let options = LogReadOptions(try filter.query(opening.zone, in: context))
      let inputs = try context.logInputs(files, try opening.opening(in: context), options.query)
      return context.tell(try printing.print(inputs, options, opening.zone, in: context, results).problems)
    }
  }
}

/// The options for printing records.
struct LogPrintOptions: ParsableArguments {
  @Flag(name: [.customShort("H"), .long], help: .text("command.log.with-filename"))
  var withFilename = false

  @Option(name: [.customShort("m"), .customLong("limit")], help: .text("command.log.limit", valueName: "count"))
  var limit: Int?

  @Flag(name: .customLong("no-pager"), help: .text("command.log.no-pager"))
  var noPager = false

  /// Prints what reading gives, until the limit or until the reader is gone.
  func print(
    _ inputs: LogInputs, _ options: LogReadOptions, _ zone: LogZone, in context: Context, _ results: ResultSink
  ) throws -> LogReadSummary {
    let terminal = context.terminal
    let isPaged = !noPager && !terminal.settings.isJSON && terminal.settings.allowsInput
    let pager = isPaged ? Pager(over: terminal, environment: context.environment) : nil
    defer { pager?.finish() }
    var printer = LogPrinter(
      to: pager?.results ?? results, of: terminal, names: inputs.names, zone: zone, showsNames: withFilename,
      hasContext: options.before > 0 || options.after > 0, pattern: options.query.inverts ? nil : options.query.pattern)
    let most = limit ?? .max
    guard most > 0 else { return LogReadSummary() }
    var options = options
    options.linesOnly = printer.isPlain
    var matches = 0
    let summary = try LogMerge(inputs, options).run { item in
      if item.isMatch { matches += 1 }
      // The records behind the last match still belong to it.
      if matches > most { return false }
      try printer.print(item)
      return pager?.isGone != true && (matches < most || options.after > 0)
    }
    printer.flush()
    return summary
  }
}
