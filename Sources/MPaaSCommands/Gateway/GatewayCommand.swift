import ArgumentParser

/// `mpaas gateway …`: the addresses that an app talks to.
struct GatewayCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "gateway", key: "gateway",
      subcommands: [

      ])
  }
}
