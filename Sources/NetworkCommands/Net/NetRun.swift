import ArgumentParser
import CommandKit
import MPaaSSupport
import MPaaSTerminal
import NetworkServingKit

extension NetCommand {
  /// `mpaas net run -- COMMAND…`: a program with another network.
  struct Run: StreamingCommand {
    enum Mode: String, CaseIterable, ExpressibleByArgument {
      case auto, namespace, proxy
    }

    static var configuration: CommandConfiguration { CommandConfiguration("run", key: "net.run") }

    @Option(
      name: [.short, .long], help: .text("command.net.run.profile", valueName: "name"), completion: .networkProfiles)
    var profile: String?

    @Option(help: .text("command.net.run.timeline", valueName: "file|text"), completion: .file())
    var timeline: String?

    @OptionGroup var conditions: ConditionOptions

    @Option(help: .text("command.net.run.mode"))
    var mode = Mode.auto

    @Option(help: .text("command.net.run.report", valueName: "file"), completion: .file())
    var report: String?

    @Option(help: .text("command.net.run.seed", valueName: "number"))
    var seed: UInt64 = 0

    @Option(name: .customLong("host-port"), help: .text("command.net.run.host-port", valueName: "port"))
    var hostPort: [UInt16] = []

    @Option(help: .text("command.net.run.bypass", valueName: "host"))
    var bypass: [String] = []

    @Option(help: .text("command.net.run.user", valueName: "name"))
    var user: String?

    @OptionGroup var common: CommonOptions

    @Argument(
      parsing: .captureForPassthrough, help: .text("command.net.run.command"), completion: .machineCommand)
    var command: [String]

    func validate() throws { try requestHelp(by: command) }

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      let command = self.command.first == "--" ? Array(self.command.dropFirst()) : self.command
      guard !command.isEmpty else { throw Diagnostic("net-run-no-command", exit: .usage) }
      throw try context.handOver(
        NetworkRun(
          command: command, user: user, conditions: conditions.words(profile: profile), timeline: timeline,
          report: report, network: mode.network, hostPorts: hostPort, bypass: bypass, seed: seed))
    }
  }
}

extension NetCommand.Run.Mode {
  fileprivate var network: NetworkRun.Network {
    switch self {
    case .auto: .any
    case .namespace: .namespace
    case .proxy: .proxy
    }
  }
}
