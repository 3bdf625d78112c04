import ArgumentParser
import MPaaSTerminal

/// `mpaas sdk …`: the modules of this machine and of the registries.
struct SDKCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let catalogue = Catalogue.current
    return CommandConfiguration(
      commandName: "sdk", abstract: catalogue.text("command.sdk.abstract"),
      discussion: catalogue.text("command.sdk.discussion"),
      subcommands: [
        Show.self, Update.self, Download.self, Search.self, Outdated.self, Resolve.self, Vendor.self, Registries.self,
        Verify.self, Collect.self,
      ],
      defaultSubcommand: Show.self)
  }
}
