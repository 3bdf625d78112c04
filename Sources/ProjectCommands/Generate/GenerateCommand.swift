import ArgumentParser
import CommandKit

/// `mpaas generate …`: Swift from JSON.
struct GenerateCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "generate", key: "generate", subcommands: [GenerateCommand.Model.self, GenerateCommand.API.self])
  }
}
