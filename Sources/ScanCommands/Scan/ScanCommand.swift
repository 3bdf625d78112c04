import ArgumentParser
import CommandKit
import MPaaSTerminal

/// `mpaas scan …`: what is in finished apps and libraries.
struct ScanCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let catalogue = Catalogue.current
    return CommandConfiguration(
      commandName: "scan", abstract: catalogue.text("command.scan.abstract"),
      discussion: catalogue.text("command.scan.discussion"), subcommands: [Check.self, Materials.self, Diff.self],
      defaultSubcommand: Check.self)
  }
}
