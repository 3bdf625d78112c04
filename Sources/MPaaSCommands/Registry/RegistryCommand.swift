import ArgumentParser

/// `mpaas registry …`: signed repositories.
struct RegistryCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "registry", key: "registry",
      subcommands: [
        Client.self
      ])
  }
}
