import ArgumentParser
import CommandKit
import MPaaSLogReading
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension LogCommand {
  /// `mpaas log tail FILE…`: the last records, and with `-f` those that come.
  struct Tail: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("tail", key: "log.tail") }

    @Argument(help: .text("command.log.files"), completion: .file())
    var files: [String] = []

    @Option(name: [.customShort("n"), .customLong("lines")], help: .text("command.log.tail.lines", valueName: "count"))
    var lines = 10

    @Flag(name: [.short, .long], help: .text("command.log.tail.follow"))
    var follow = false

    @Option(help: .text("command.log.tail.grep", valueName: "pattern"))
    var grep: String?

    @Flag(name: [.customShort("H"), .long], help: .text("command.log.with-filename"))
    var withFilename = false

    @OptionGroup var filter: LogFilterOptions
    @OptionGroup var opening: LogOpeningOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      var options = LogReadOptions(try filter.query(opening.zone, in: context))
      options.query.pattern = try grep.map { try LogPattern($0, .literal) }
      let opened = try opening.opening(in: context)
      // Before anything is shown, so that whoever ends it right then is heard.
      let end = follow ? EndRequest() : nil
      guard follow, !files.isEmpty || context.logFolder != nil else {
        let inputs = try context.logInputs(files, opened, options.query)
        let (items, summary) = try LogMerge(inputs, options).last(max(lines, 0))
        try print(items, of: inputs.names, options, to: results, in: context)
        return context.tell(summary.problems)
      }
      let paths = files.isEmpty ? [context.logFolder ?? "."] : files
      var following = try LogFollow(paths, opened, options)
      let problems = try following.run(last: max(lines, 0)) {
        end?.next(within: .milliseconds(50)) != nil
      } note: {
        context.terminal.warning($0.diagnostic)
      } found: { items, names in
        try print(items, of: names, options, to: results, in: context)
      }
      return context.tell(problems)
    }

    private func print(
      _ items: [LogItem], of names: [String], _ options: LogReadOptions, to results: ResultSink, in context: Context
    ) throws {
      guard !items.isEmpty else { return }
      var printer = LogPrinter(
        to: results, of: context.terminal, names: names, zone: opening.zone, showsNames: withFilename,
        pattern: options.query.pattern)
      for item in items { try printer.print(item) }
      printer.flush()
    }
  }
}
