import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSCrashReport
import MPaaSSupport
import MPaaSTerminal

/// `mpaas crash run -- COMMAND…`: runs a program and reports its crash from outside.
struct CrashRunCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("run", key: "crash.run") }

  @OptionGroup var capture: CaptureOptions

  @Flag(name: .customLong("no-last-words"), help: .text("command.crash.run.no-last-words"))
  var leavesLastWords = false

  @OptionGroup var common: CommonOptions

  @Argument(
    parsing: .captureForPassthrough, help: .text("command.crash.run.command"), completion: .machineCommand)
  var command: [String]

  func validate() throws { try requestHelp(by: command) }

  func run(in context: Context) async throws -> ObservedRun {
    let command = self.command.first == "--" ? Array(self.command.dropFirst()) : self.command
    guard !command.isEmpty else { throw Diagnostic("command-not-given", exit: .usage) }
    let places = try CapturePlaces(output: capture.output, folder: context.directories.crashes)
    var run = TracedRun(command: command)
    run.keepsLastWords = !leavesLastWords
    let (outcome, kept, problems) = try run.run(keeping: places)
    for problem in problems { context.terminal.error(problem.diagnostic) }
    for file in kept {
      var report = file.report
      if !capture.leavesSymbols {
        report = await capture.symbolicated(report, in: context).report
        try IPSWriter.write(report, to: file.path)
      }
      if let summary = ReportView.summary(of: report, context.catalogue) { context.terminal.note(summary) }
    }
    return ObservedRun(
      status: outcome.status, signal: outcome.signal.map(SignalTable.native.name), pid: outcome.process,
      reports: kept.map(\.path))
  }

  func hints(after run: ObservedRun, in context: Context) -> [String] {
    guard let last = run.reports.last else { return [] }
    let hints = ReportHints(last, in: context)
    return [hints.show, hints.send]
  }
}

/// The end of a program, and the reports that it left.
struct ObservedRun: Presentable {
  let status: Int32
  let signal: String?
  let pid: Int32
  /// Paths, in the order of the crashes.
  let reports: [String]

  var exit: ExitStatus { ExitStatus(rawValue: status) }

  func document(_ catalogue: Catalogue) -> Document {
    Document(lines: reports.map { StyledText(verbatim: $0, .path) })
  }
}
