import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSampling
import MPaaSSupport
import MPaaSTerminal
import MPaaSToolSupport

extension PerfCommand {
  /// `mpaas perf watch PID`: a process in numbers while it runs, and what of it grows.
  struct Watch: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("watch", key: "perf.watch") }

    @Argument(help: .text("command.perf.watch.pid"))
    var pid: Int32

    @Option(name: [.short, .long], help: .text("command.perf.watch.interval", valueName: "time"))
    var interval = "1s"

    @Option(name: [.short, .long], help: .text("command.perf.watch.duration", valueName: "time"))
    var duration: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let pause = try Self.time(interval, "perf-interval", least: .milliseconds(20))
      let end = try duration.map { try Self.time($0, "perf-duration", least: .milliseconds(1)) }
      let session = WatchSession(process: pid, pause: pause, duration: end)
      let history: WatchHistory
      if WatchScreen.isWished(in: context) {
        history = try await WatchScreen.run(session, in: context)
      } else {
        history = try await session.lines {
          try results.put(WatchedMoment($0, isJSON: context.terminal.settings.isJSON))
        }
      }
      if let report = history.report { try results.put(WatchedGrowth(process: pid, report)) }
      return .done
    }

    private static func time(_ text: String, _ refusal: DiagnosticID, least: Duration) throws(Diagnostic) -> Duration {
      guard let time = Quantity.duration(text), time >= least else {
        throw Diagnostic(refusal, ["value": text], exit: .usage)
      }
      return time
    }
  }
}
