import ArgumentParser

/// The command that words lead to.
struct CommandPlace {
  /// The last command that was named.
  private(set) var command: any ParsableCommand.Type
  /// The number of the first word behind the commands' names.
  private(set) var rest = 0
  /// True where the words ask for the help of a command.
  private(set) var isHelp = false
  /// The common options that were given between the commands' names.
  private(set) var given: [String] = []
  /// True where no command was named yet.
  private(set) var isRoot = true

  init(_ words: [String], root: any ParsableCommand.Type) {
    command = root
    while rest < words.count, step(words[rest], isLast: rest + 1 == words.count) {}
  }

  /// The command that takes the words behind: `command`, or the one below it that needs no name.
  var leaf: any ParsableCommand.Type { command.configuration.defaultSubcommand ?? command }

  /// True where the next word may name a command.
  var takesSubcommand: Bool { !command.configuration.subcommands.isEmpty }

  /// True where the command takes words that are no names of commands.
  var takesWords: Bool { !takesSubcommand || command.configuration.defaultSubcommand != nil }

  /// The declarations that the next words may belong to; the common options where only commands and they may follow.
  ///
  /// The parser would describe all commands below one that has some, which takes it a long time.
  var declarations: [ArgumentDeclaration] {
    ArgumentDeclaration.all(of: takesWords ? leaf : CommonOptions.self)
  }

  /// Takes a word that names a command, or an option that may stand before its name.
  private mutating func step(_ word: String, isLast: Bool) -> Bool {
    if let next = command.subcommand(word) {
      command = next
      isRoot = false
    } else if word == "help", isRoot, !isHelp {
      isHelp = true
    } else if takesSubcommand, let option = Self.common.first(where: { $0.isNamed(word.prefix { $0 != "=" }) }) {
      let takesNext = option.kind == .option && !word.contains("=")
      guard !(takesNext && isLast) else { return false }
      given.append(option.mainName)
      if takesNext { rest += 1 }
    } else {
      return false
    }
    rest += 1
    return true
  }

  private static let common = ArgumentDeclaration.all(of: CommonOptions.self)
}
