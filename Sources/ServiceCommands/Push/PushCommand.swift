import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import PushServingKit

/// `mpaas push …`: notifications for apps on phones.
struct PushCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "push", key: "push",
      subcommands: [Send.self, Tokens.self, Campaigns.self, Status.self, Key.self, Double.self])
  }

  /// `mpaas push double`: a stand-in for APNs and FCM.
  struct Double: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("double", key: "push.double") }

    @Option(help: .text("command.push.double.config", valueName: "file"), completion: .file(extensions: ["json"]))
    var config: String

    @Option(help: .text("command.push.double.listen", valueName: "host:port"))
    var listen = "127.0.0.1:0"

    @Option(help: .text("command.push.double.ca", valueName: "file"), completion: .file())
    var ca: String?

    @Option(help: .text("command.push.double.log", valueName: "file"), completion: .file())
    var log: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      throw try context.handOver(
        PushDoubleServing(listen: listen, configuration: config, log: log, authority: ca))
    }
  }
}
