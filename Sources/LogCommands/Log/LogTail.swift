import ArgumentParser
import CommandKit
import MPaaSLogs
import MPaaSSupport
import MPaaSTerminal

extension LogCommand {
  /// `mpaas log tail FILE…`: the last records, and with `-f` those that come.
  struct Tail: MPaaSCommand {
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

    func run(in context: Context) async throws -> LogReadOutcome {
      var options = LogReadOptions(try filter.query(opening.zone, in: context))
      options.query.pattern = try grep.map { try LogPattern($0, .literal) }
      let opened = try opening.opening(in: context)
      // Before anything is shown, so that whoever ends it right then is heard.
      let end = follow ? EndRequest() : nil
      guard follow, !files.isEmpty || context.logFolder != nil else {
        let inputs = try context.logInputs(files, opened, options.query)
        let (items, summary) = try LogMerge(inputs, options).last(max(lines, 0))
        var printer = LogPrinter(
          context, names: inputs.names, zone: opening.zone, showsNames: withFilename, pattern: options.query.pattern)
        for item in items { printer.print(item) }
        printer.flush()
        return LogReadOutcome(summary.problems, in: context)
      }
      let paths = files.isEmpty ? [context.logFolder ?? "."] : files
      var following = try LogFollow(paths, opened, options)
      var problems = try print(try following.begin(max(lines, 0)), following, in: context, options)
      while end?.next(within: .milliseconds(50)) == nil {
        let found = try following.more()
        // Told at once: what may be missing is missed now.
        for problem in found.problems where problem.code.exit == .done { context.terminal.warning(problem.diagnostic) }
        problems += try print(found, following, in: context, options).filter { $0.code.exit != .done }
      }
      return LogReadOutcome(problems, in: context)
    }

    private func print(
      _ found: (items: [LogItem], problems: [LogError]), _ following: LogFollow, in context: Context,
      _ options: LogReadOptions
    ) throws -> [LogError] {
      guard !found.items.isEmpty else { return found.problems }
      var printer = LogPrinter(
        context, names: following.names, zone: opening.zone, showsNames: withFilename, pattern: options.query.pattern)
      for item in found.items { printer.print(item) }
      printer.flush()
      return found.problems
    }
  }
}
