import ArgumentParser
import CommandKit
import ConfigCommands

/// `mpaas gateway …`: the addresses that an app talks to, and a gateway to develop against.
struct GatewayCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "gateway", key: "gateway",
      subcommands: [GatewayEnvironments.self, Mock.self, Match.self, Verify.self, Lint.self])
  }
}
