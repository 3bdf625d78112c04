import ArgumentParser
import MPaaSCommands
import MPaaSTerminal

/// A command that the help lists.
struct ListedCommand {
  /// Its words without the program's name; empty for the program.
  let path: String
  let isNoun: Bool

  /// The beginning of its keys in the catalogue.
  var key: String { "command." + (path.isEmpty ? "mpaas" : path.split(separator: " ").joined(separator: ".")) }

  /// The lines that are typed, an example each.
  var examples: [String] {
    let lines = Catalogue(language: .english).optionalText(key + ".example-lines") ?? ""
    return lines.split(separator: "\n", omittingEmptySubsequences: false).split { $0.isEmpty }
      .map { $0.joined(separator: "\n") }
  }

  func sentences(_ catalogue: Catalogue) -> [String] {
    catalogue.optionalText(key + ".examples")?.split(separator: "\n").map(String.init) ?? []
  }

  static var all: [ListedCommand] { below(RootCommand.self, "") }

  private static func below(_ command: any ParsableCommand.Type, _ path: String) -> [ListedCommand] {
    let children = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    return [ListedCommand(path: path, isNoun: !children.isEmpty)]
      + children.flatMap { below($0, path.isEmpty ? $0._commandName : path + " " + $0._commandName) }
  }
}
