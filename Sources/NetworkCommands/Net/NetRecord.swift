import ArgumentParser
import CommandKit
import MPaaSNetworkConditions
import MPaaSSupport
import MPaaSTerminal
import NetworkServingKit

extension NetCommand {
  /// `mpaas net record TARGET` or `--from LOG…`: a real network as a timeline.
  struct Record: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("record", key: "net.record") }

    @Argument(help: .text("command.net.record.target", valueName: "target"))
    var target: String?

    @Option(
      parsing: .upToNextOption, help: .text("command.net.record.from", valueName: "log"), completion: .file())
    var from: [String] = []

    @Option(name: .customLong("for"), help: .text("command.net.record.for", valueName: "time"))
    var length = "60s"

    @Option(help: .text("command.net.record.every", valueName: "time"))
    var every = "1s"

    @Option(help: .text("command.net.record.window", valueName: "time"))
    var window = "10s"

    @Option(help: .text("command.net.record.name", valueName: "name"))
    var name: String?

    @Option(name: [.short, .long], help: .text("command.net.record.output", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
      if (target == nil) != from.isEmpty { return }
      throw ValidationError(Catalogue.current.text("text.net-record-source"))
    }

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let record = TimelineRecord(name: name, window: try TimelineWords.duration(window), output: output)
      if let target {
        throw try context.handOver(
          LinkMeasurement(
            target: target, interval: try TimelineWords.duration(every), length: try TimelineWords.duration(length),
            record: record))
      }
      try results.put(
        record.written(NetworkRecording(logs: from, name: name, window: record.window, by: TextFile.reading)))
      return .done
    }
  }
}
