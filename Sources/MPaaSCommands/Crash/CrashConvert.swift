import ArgumentParser
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
    guard let output, output != "-" else { return try printed(report, in: context) }
    try Bytes(try format.bytes(of: report, in: context, sourceRoot: sourceRoot, sources: sources)).write(to: output)
    return ConvertedReport(path: output, text: output + "\n", json: ["path": .string(output)])
  }

  private func printed(_ report: CrashReport, in context: Context) throws -> ConvertedReport {
    if format == .plcrash, !context.terminal.settings.isJSON {
      // The binary format, which a terminal would take for commands.
      if context.terminal.output.isTerminal { throw Diagnostic("convert-binary-terminal", exit: .usage) }
      try format.bytes(of: report, in: context).withUnsafeBytes(context.terminal.output.writeBytes)
      return ConvertedReport(path: nil, text: "", json: .null)
    }
    let text = try format.text(of: report, in: context, sourceRoot: sourceRoot, sources: sources)
    // An .ips file is two documents; with --json they are one.
    let json = format == .ips ? JSONValue.object(IPSWriter.document(of: report)) : format.json(text)
    return ConvertedReport(path: nil, text: text, json: json)
  }
}

/// A report in another format, or where it went.
struct ConvertedReport: Presentable {
  let path: String?
  let text: String
  let json: JSONValue

  func encode(to encoder: any Encoder) throws {
    try json.encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    let whole = text.hasSuffix("\n") ? text.dropLast() : text[...]
    let lines = whole.split(separator: "\n", omittingEmptySubsequences: false)
    return Document(lines: lines.map { StyledText(String($0), path == nil ? .plain : .path) })
  }
}
