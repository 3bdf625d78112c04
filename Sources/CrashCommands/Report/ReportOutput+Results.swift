import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal

extension ReportOutput: ExpressibleByArgument {}

extension ReportOutput {
  /// Hands over the whole file of a report, byte for byte; a terminal gets a last newline where there is none.
  ///
  /// - Throws: `convert-binary-terminal` for a binary format, which a terminal would take for commands.
  func put(_ report: CrashReport, by writer: ReportWriter, to results: ResultSink, of terminal: Terminal) throws {
    let isTerminal = terminal.output.isTerminal
    guard self == .plcrash else {
      let text = writer.text(of: report, as: self)
      return results.put(text: isTerminal && !text.hasSuffix("\n") ? text + "\n" : text)
    }
    if isTerminal { throw Diagnostic("convert-binary-terminal", exit: .usage) }
    writer.bytes(of: report, as: self).withUnsafeBytes { results.put(bytes: $0) }
  }

  /// The JSON that `--json` prints of a file's text: JSON as it is, other formats as `text`.
  func json(_ text: String) -> JSONValue {
    switch self {
    case .json, .sarif:
      return (try? Array(text.utf8).withUnsafeBytes { try JSONValue(reading: $0) }) ?? .null
    case .plcrash: return ["plcrash": .string(text)]
    case .ips, .apple, .md, .html: return ["text": .string(text)]
    }
  }
}

extension Context {
  /// Writes reports in the language of the command.
  func reportWriter(sourceRoot: String? = nil, sources: [String] = []) -> ReportWriter {
    let (catalogue, terminal) = (catalogue, terminal)
    return ReportWriter(
      words: { catalogue.text("text.digest-\($0)") }, language: catalogue.language.rawValue,
      toolVersion: KitVersion.current.version, sourceRoot: sourceRoot, sources: sources,
      warn: { terminal.warning($0) })
  }
}
