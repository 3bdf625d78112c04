import ArgumentParser
import CommandKit
import MPaaSCrash
import MPaaSSupport
import MPaaSTerminal

/// `mpaas crash show REPORT`: the report in Apple's text form, in colour, with the source of the line that crashed.
struct CrashShowCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("show", key: "crash.show") }

  @Argument(help: .text("command.crash.show.report"), completion: .reports)
  var report: String

  @OptionGroup var form: ReportFormOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) throws -> ReportView {
    let (path, report) = try context.report(report)
    return ReportView(report, path: path, form: form)
  }

  func hints(after view: ReportView, in context: Context) -> [String] {
    let hints = ReportHints(report, in: context)
    return [hints.page, hints.send]
  }
}
