import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSSupport
import MPaaSTerminal

/// `mpaas crash convert REPORT --to FORMAT`: a report in another format.
struct CrashConvertCommand: MPaaSCommand {
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

  func run(in context: Context) throws -> ConvertedReport {
    let report = try context.report(report).report
    guard let output, output != "-" else {
      if context.terminal.settings.isJSON { return try encoded(report, in: context) }
      try format.print(report, in: context, sourceRoot: sourceRoot, sources: sources)
      return ConvertedReport(path: nil, json: .null)
    }
    try Bytes(try format.bytes(of: report, in: context, sourceRoot: sourceRoot, sources: sources)).write(to: output)
    return ConvertedReport(path: output, json: ["path": .string(output)])
  }

  private func encoded(_ report: CrashReport, in context: Context) throws -> ConvertedReport {
    // An .ips file is two documents; with --json they are one.
    if format == .ips { return ConvertedReport(path: nil, json: .object(IPSWriter.document(of: report))) }
    let text = try format.text(of: report, in: context, sourceRoot: sourceRoot, sources: sources)
    return ConvertedReport(path: nil, json: format.json(text))
  }
}

/// A report in another format as JSON, or where it went; the report itself is printed byte for byte.
struct ConvertedReport: Presentable {
  let path: String?
  let json: JSONValue

  /// A null says that the report was printed.
  var isTold: Bool { json == .null }

  func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    Document(lines: path.map { [StyledText(verbatim: $0, .path)] } ?? [])
  }
}
