import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
import NetworkServingKit

extension NetCommand {
  /// `mpaas net report JOURNAL`: what was applied when, and what passed.
  struct Report: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("report", key: "net.report") }

    @Argument(help: .text("command.net.report.journal", valueName: "journal"), completion: .file())
    var journal: String

    @Option(help: .text("command.net.report.format"))
    var format: ReportForm?

    @Option(name: [.short, .long], help: .text("command.net.report.output", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let report = NetworkReport(try Journal(try TextFile.reading(journal), file: journal))
      let place = ResultPlace(output)
      let format = format ?? place.file.flatMap(ReportForm.init(ofEnding:)) ?? .text
      let isJSON = context.terminal.settings.isJSON
      if try place.write({ format.text(of: report, context.catalogue).utf8 }) != nil {
        if isJSON { try results.put(NetworkReportView(report: report)) }
      } else if isJSON || format == .text {
        try results.put(NetworkReportView(report: report))
      } else {
        results.put(text: format.text(of: report, context.catalogue))
      }
      return .done
    }
  }
}

extension ReportForm: ExpressibleByArgument {}
