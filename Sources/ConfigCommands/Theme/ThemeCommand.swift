import ArgumentParser
import CommandKit

/// `mpaas theme …`: themes.
struct ThemeCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "theme", key: "theme",
      subcommands: [
        Resolve.self,
        Lint.self,
        Convert.self,
        Preview.self,
      ])
  }
}
