package import ArgumentParser
import MPaaSTerminal

/// The command above all others: its nouns in groups.
package protocol ProgramRoot: AsyncParsableCommand {
  static var groups: [NounGroup] { get }
}

extension ProgramRoot {
  package static var nouns: [any ParsableCommand.Type] { groups.flatMap(\.nouns) }

  package static var configuration: CommandConfiguration {
    let version = KitVersion.current.line
    guard let noun = CommandTree.noun else {
      return CommandConfiguration("mpaas", key: "mpaas", version: version, groups: groups)
    }
    return CommandConfiguration("mpaas", key: "mpaas", version: version, subcommands: [noun])
  }

  /// The noun of a call whose first word is one.
  static func noun(of arguments: [String]) -> (any ParsableCommand.Type)? {
    arguments.first.flatMap { word in nouns.first { $0._commandName == word } }
  }
}

/// The commands of the running program.
package enum CommandTree {
  /// The noun that a call names: only its commands are put into the parser's tree, since all of them cost milliseconds.
  ///
  /// Nil for the whole tree, which help, completion and calls without a known noun need.
  @TaskLocal package static var noun: (any ParsableCommand.Type)?

  /// The root; nil outside of a call.
  @TaskLocal package static var root: (any ProgramRoot.Type)?
}
