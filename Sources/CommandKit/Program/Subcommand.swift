import ArgumentParser

extension ParsableCommand {
  /// The command that `word` names below this one; nil for any other word.
  static func subcommand(_ word: String) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { $0._commandName == word || $0.configuration.aliases.contains(word) }
  }
}
