import ArgumentParser
import CommandKit
import LogCommands
import MPaaSCrash
import MPaaSLogReading
import MPaaSLogUpload
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport
import MPaaSTransfer

/// `mpaas crash upload REPORT…`: brings reports to the server; done once it has stored and verified them.
struct CrashUploadCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("upload", key: "crash.upload") }

  @Argument(help: .text("command.crash.upload.reports", valueName: "report"), completion: .reports)
  var reports: [String]

  @Option(help: .text("command.crash.upload.attempts", valueName: "number"))
  var attempts = 5

  @Option(help: .text("command.crash.upload.network"))
  var network = Transfer.NetworkRule.any

  @Option(help: .text("command.crash.upload.connection"))
  var connection = DeviceConnection.wifi

  @OptionGroup var server: ServerOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> UploadedReports {
    let queue = try server.reportQueue(in: context)
    let paths = try reports.map { try context.path(ofReport: $0) }
    let files = try ReportCollection(paths).files
    guard !files.isEmpty else {
      throw Diagnostic("reports-none", ["paths": paths.joined(separator: ", ")], exit: .inputMissing)
    }
    let state = DeviceState(network: connection.network)
    let upload = ReportUpload(
      queue, attempts: max(1, attempts), network: network, check: UploadableReport.check(_:at:), device: { state })
    let sent = try await InterruptibleWork.run {
      try await upload.send(files) { event in
        guard case .retrying(_, let error, let reason, let seconds) = event else { return }
        let pause = Duration.milliseconds(Int(min(seconds, 1e9) * 1000)).formattedMilliseconds
        context.terminal.detail(StyledText("\(error) \(reason): \(pause)", .faint))
      }
    }.value
    for problem in sent.problems { context.terminal.warning(problem) }
    if files.count == 1, let report = sent.reports.first, !report.isQueued, let failure = report.failure {
      throw failure
    }
    return UploadedReports(sent)
  }
}

extension ServerOptions {
  /// The reports that wait for the server, in the queue of all transfers.
  func reportQueue(in context: Context) throws -> ReportQueue {
    let (server, options) = (try server(in: context), try transferOptions(in: context))
    return try ReportQueue(to: server, in: try context.transfers(), options: options)
  }
}
