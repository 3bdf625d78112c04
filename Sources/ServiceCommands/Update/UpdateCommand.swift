import ArgumentParser
import CommandKit

/// `mpaas update …`: versions of an app, from the build to the devices.
struct UpdateCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "update", key: "update",
      subcommands: [
        Publish.self, Promote.self, Pause.self, Withdraw.self, List.self, Check.self, Delta.self, Manifest.self,
        AppcastCommand.self,
      ])
  }
}
