import ArgumentParser
import CommandKit

/// `mpaas project …`: Xcode projects.
struct ProjectCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "project", key: "project",
      subcommands: [
        List.self,
        Check.self,
        Cat.self,
        Edit.self,
      ])
  }
}
