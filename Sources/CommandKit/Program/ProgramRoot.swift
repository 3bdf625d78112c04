package import ArgumentParser

/// The command that stands above all: a list of nouns.
package protocol ProgramRoot: AsyncParsableCommand {
  static var nouns: [any ParsableCommand.Type] { get }
}

extension ProgramRoot {
  package static var configuration: CommandConfiguration {
    let noun = CommandTree.noun
    return CommandConfiguration(
      "mpaas", key: "mpaas", version: KitVersion.current.line,
      subcommands: noun.map { noun in nouns.filter { $0._commandName == noun } } ?? nouns)
  }

  /// The noun of a call whose first word is one.
  static func noun(of arguments: [String]) -> String? {
    arguments.first.flatMap { word in nouns.contains { $0._commandName == word } ? word : nil }
  }
}

/// The commands of the running program.
package enum CommandTree {
  /// The noun that a call names: only its commands are put into the parser's tree, since all of them cost milliseconds.
  ///
  /// Nil for the whole tree, which help, completion scripts and calls without a known noun need.
  @TaskLocal package static var noun: String?

  /// The root; nil outside of a call.
  @TaskLocal package static var root: (any ProgramRoot.Type)?
}
