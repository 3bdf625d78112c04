import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

/// `mpaas crash convert REPORT --to FORMAT`: a report in another format.
struct CrashConvertCommand: StreamingCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("convert", key: "crash.convert") }

  @Argument(help: .text("command.crash.show.report"), completion: .reports)
  var report: String

  @Option(name: .customLong("to"), help: .text("command.crash.convert.to"))
  var format: ReportOutput

  @Option(name: [.short, .long], help: .text("command.crash.convert.output"), completion: .file())
  var output: String?

  @Option(name: .customLong("source-root"), help: .text("command.crash.convert.source-root"), completion: .directory)
  var sourceRoot: String?

  @Option(name: .customLong("source"), help: .text("command.crash.form.source"), completion: .directory)
  var sources: [String] = []

  @OptionGroup var common: CommonOptions

  func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
    let report = try context.report(report).report
    let writer = context.reportWriter(sourceRoot: sourceRoot, sources: sources)
    if let output = try ResultPlace(output).write({ writer.bytes(of: report, as: format) }) {
      try results.put(ConvertedReport(path: output, json: ["path": .string(output)]))
    } else if context.terminal.settings.isJSON {
      // An .ips file is two documents; with --json they are one.
      let json =
        format == .ips
        ? .object(IPSWriter.document(of: report)) : format.json(writer.text(of: report, as: format))
      try results.put(ConvertedReport(path: nil, json: json))
    } else {
      try format.put(report, by: writer, to: results, of: context.terminal)
    }
    return .done
  }
}

/// A report in another format as JSON, or the file that it went to.
private struct ConvertedReport: Presentable {
  let path: String?
  let json: JSONValue

  func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    Document(lines: path.map { [StyledText(verbatim: $0, .path)] } ?? [])
  }
}
