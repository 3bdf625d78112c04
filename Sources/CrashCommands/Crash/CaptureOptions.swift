import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSSymbols
import MPaaSTerminal

/// The options that the capture commands have in common: where the report goes, and whether it gets symbols at once.
struct CaptureOptions: ParsableArguments {
  @Option(name: [.short, .long], help: .text("command.crash.capture.output"), completion: .file(extensions: ["ips"]))
  var output: String?

  @Flag(name: .customLong("no-symbolicate"), help: .text("command.crash.capture.no-symbolicate"))
  var leavesSymbols = false

  @Option(name: .long, help: .text("command.crash.capture.symbols"), completion: .file())
  var symbols: [String] = []

  /// The report with symbols, and what is missing; the report as it is where symbols are not wanted.
  func symbolicated(
    _ report: CrashReport, in context: Context
  ) async -> (report: CrashReport, missing: [MissingSymbols]?) {
    guard !leavesSymbols else { return (report, nil) }
    let search = context.debugFileSearch(symbols)
    let result = await context.timed("symbolicate \(report.process.name) [\(report.process.pid)]") {
      ReportSymbolicator.live(search).symbolicate(report)
    }
    return (result.report, result.missing)
  }

  /// The report with symbols, written where a place was named.
  ///
  /// - Parameter path: The place that it is from.
  func kept(
    _ report: CrashReport, path: String, form: ReportFormOptions, in context: Context
  ) async throws -> CapturedReport {
    let (report, missing) = await symbolicated(report, in: context)
    if let output { try IPSWriter.write(report, to: output) }
    return CapturedReport(
      view: ReportView(report, path: output ?? path, form: form, missing: missing), written: output)
  }
}
