import ArgumentParser
import CommandKit
import MPaaSLogReading
import MPaaSSupport
import MPaaSTerminal

extension LogCommand {
  /// `mpaas log search PATTERN FILE…`: records with a text or a regular expression in them.
  struct Search: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("search", key: "log.search") }

    @Argument(help: .text("command.log.search.pattern", valueName: "pattern"))
    var pattern: String

    @Argument(help: .text("command.log.files"), completion: .file())
    var files: [String] = []

    @Flag(name: [.customShort("E"), .long], help: .text("command.log.search.regex"))
    var regex = false

    @Flag(name: [.short, .long], help: .text("command.log.search.ignore-case"))
    var ignoreCase = false

    @Flag(help: .text("command.log.search.invert"))
    var invert = false

    @Flag(name: [.short, .long], help: .text("command.log.search.count"))
    var count = false

    @Option(name: [.customShort("A"), .long], help: .text("command.log.search.after", valueName: "count"))
    var after: Int?

    @Option(name: [.customShort("B"), .long], help: .text("command.log.search.before", valueName: "count"))
    var before: Int?

    @Option(
      name: [.customShort("C"), .customLong("context")], help: .text("command.log.search.context", valueName: "count"))
    var around: Int?

    @OptionGroup var filter: LogFilterOptions
    @OptionGroup var printing: LogPrintOptions
    @OptionGroup var opening: LogOpeningOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      var options = LogReadOptions(try filter.query(opening.zone, in: context))
      if !pattern.isEmpty {
        options.query.pattern = try LogPattern(pattern, regex ? .expression : .literal, ignoresCase: ignoreCase)
      }
      options.query.inverts = invert
      options.before = max(before ?? around ?? 0, 0)
      options.after = max(after ?? around ?? 0, 0)
      let inputs = try context.logInputs(files, try opening.opening(in: context), options.query)
      if count {
        let summary = try LogMerge(inputs, options).count()
        let exit = context.tell(summary.problems, usual: summary.matches > 0 ? .done : .negative)
        try results.put(LogMatchCounts(summary, of: inputs.names))
        return exit
      }
      let summary = try printing.print(inputs, options, opening.zone, in: context, results)
      return context.tell(summary.problems, usual: summary.matches > 0 ? .done : .negative)
    }
  }
}

/// The numbers of records that were found, in all and in each file.
private struct LogMatchCounts: Presentable {
  struct FileCount: Encodable {
    let file: String
    let matches: Int
  }

  let matches: Int
  let files: [FileCount]

  init(_ summary: LogReadSummary, of names: [String]) {
    matches = summary.matches
    files = zip(names, summary.counts).map { FileCount(file: $0, matches: $1) }
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard files.count > 1 else { return [.line(StyledText("\(matches)"))] }
    return Document(
      lines: files.map { file in
        var line = StyledText("\(file.file):", .path)
        line.append("\(file.matches)", .number)
        return line
      })
  }
}
