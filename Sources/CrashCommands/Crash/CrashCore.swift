import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSSupport
import MPaaSTerminal

/// `mpaas crash core FILE`: a report of a core file.
struct CrashCoreCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("core", key: "crash.core") }

  @Argument(help: .text("command.crash.core.file"), completion: .file())
  var file: String

  @Option(name: .customLong("exec"), help: .text("command.crash.core.exec"), completion: .file())
  var executable: String?

  @OptionGroup var capture: CaptureOptions
  @OptionGroup var form: ReportFormOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> CapturedReport {
    let report = try await context.timed("read \(file)") {
      try CoreCapture.report(of: file, executable: executable)
    }
    return try await capture.kept(report, path: file, form: form, in: context)
  }

  func hints(after captured: CapturedReport, in context: Context) -> [String] {
    guard let written = captured.written else { return [] }
    let hints = ReportHints(written, in: context)
    return [hints.show, hints.send]
  }
}

/// A report that is printed, or written where a place was named.
struct CapturedReport: Presentable {
  let view: ReportView
  /// The file that it was written to.
  let written: String?

  func encode(to encoder: any Encoder) throws {
    try view.encode(to: encoder)
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard let written else { return view.document(catalogue) }
    var document: Document = [.line(StyledText(verbatim: written, .path))]
    for line in ReportView.lines(view.missing ?? [], catalogue) { document.line(line) }
    return document
  }
}
