import ArgumentParser
import CommandKit

/// `mpaas template …`: templates of projects and of their parts.
struct TemplateCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("template", key: "template", subcommands: [List.self, Show.self, Check.self])
  }
}
