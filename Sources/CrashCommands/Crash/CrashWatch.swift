import ArgumentParser
import CommandKit
import LogCommands
import MPaaSCrash
import MPaaSLogReading
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal
import MPaaSTime
import MPaaSToolSupport

/// `mpaas crash watch DIR`: brings each report that appears in a folder to the server.
struct CrashWatchCommand: StreamingCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("watch", key: "crash.watch") }

  @Argument(help: .text("command.crash.watch.folder", valueName: "folder"), completion: .directory)
  var folder: String

  @Option(help: .text("command.crash.watch.every", valueName: "time"))
  var every = "1s"

  @Flag(help: .text("command.crash.watch.once"))
  var once = false

  @OptionGroup var server: ServerOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
    guard let pause = Quantity.duration(every), pause >= .milliseconds(10) else {
      throw Diagnostic("crash-watch-every", ["value": every], exit: .usage)
    }
    guard FileStatus(folder)?.kind == .folder else {
      throw FileError(.list, folder, FileStatus(folder) == nil ? .noSuchFileOrDirectory : .notDirectory)
    }
    let queue = try server.reportQueue(in: context)
    let (folder, once) = (folder, once)
    return try await InterruptibleWork.run {
      var watch = ReportWatch(
        queue, files: { try ReportCollection([folder]).files }, check: UploadableReport.check(_:at:))
      func tell(_ event: ReportWatch.Event) throws {
        switch event {
        case .delivered(let report): try results.put(UploadedReports.Row(report))
        case .problem(let problem): context.terminal.warning(problem)
        }
      }
      if once { return try await watch.runOnce(tell: tell) }
      try await watch.run(Polling(every: TimeSpan(pause)), tell: tell)
      return .done
    }.value
  }
}
