import ArgumentParser
import MPaaSCrash
import MPaaSSupport
import MPaaSTerminal

/// `mpaas crash convert REPORT --to FORMAT`: a report in another format.
struct CrashConvertCommand: MPaaSCommand {
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case ips, json, apple, plcrash
  }

  static var configuration: CommandConfiguration { CommandConfiguration("convert", key: "crash.convert") }

  @Argument(help: .text("command.crash.show.report"), completion: .reports)
  var report: String

  @Option(name: .customLong("to"), help: .text("command.crash.convert.to"))
  var format: Format

  @Option(name: [.short, .long], help: .text("command.crash.convert.output"), completion: .file())
  var output: String?

  @OptionGroup var common: CommonOptions

  func run(in context: Context) throws -> ConvertedReport {
    let report = try context.report(report).report
    if format == .plcrash { return try writePLCrash(of: report, in: context) }
    let document = JSONValue.object(IPSWriter.document(of: report))
    let text: String =
      switch format {
      case .ips: String(decoding: IPSWriter.bytes(of: report), as: UTF8.self)
      case .json: document.line + "\n"
      // A report of PLCrashReporter's keeps the layout that its users know.
      case .apple: PLCrashText.text(of: report) ?? AppleCrashWriter.text(of: report)
      case .plcrash: ""
      }
    guard let output, output != "-" else {
      return ConvertedReport(path: nil, text: text, json: format == .apple ? ["text": .string(text)] : document)
    }
    try Bytes(text.utf8).write(to: output)
    return ConvertedReport(path: output, text: output + "\n", json: ["path": .string(output)])
  }

  /// Writes the binary format, which a terminal would take for commands.
  private func writePLCrash(of report: CrashReport, in context: Context) throws -> ConvertedReport {
    let bytes = PLCrashWriter.bytes(of: report)
    if let output, output != "-" {
      try Bytes(bytes).write(to: output)
      return ConvertedReport(path: output, text: output + "\n", json: ["path": .string(output)])
    }
    let isJSON = context.terminal.settings.isJSON
    if !isJSON {
      if context.terminal.output.isTerminal { throw Diagnostic("convert-binary-terminal", exit: .usage) }
      bytes.withUnsafeBytes(context.terminal.output.writeBytes)
    }
    return ConvertedReport(path: nil, text: "", json: isJSON ? ["plcrash": .base64(bytes)] : .null)
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
