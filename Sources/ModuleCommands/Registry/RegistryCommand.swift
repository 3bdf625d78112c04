import ArgumentParser
import CommandKit

/// `mpaas registry …`: signed repositories.
struct RegistryCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "registry", key: "registry",
      subcommands: [
        Init.self,
        Add.self,
        Remove.self,
        Yank.self,
        Modules.self,
        Pack.self,
        Sign.self,
        Delegate.self,
        Rotate.self,
        Refresh.self,
        Status.self,
        Check.self,
        Collect.self,
        Serve.self,
        Push.self,
        Client.self,
      ])
  }
}
