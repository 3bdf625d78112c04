package import ArgumentParser
import MPaaSTerminal

/// The command above all others: its nouns in groups.
package protocol ProgramRoot: AsyncParsableCommand {
  static var groups: [NounGroup] { get }

  /// The words of each `ConfiningCommand`.
  static var confined: [[String]] { get }
}

extension ProgramRoot {
  package static var confined: [[String]] { [] }

  package static var nouns: [any ParsableCommand.Type] { groups.flatMap(\.nouns) }

  package static var configuration: CommandConfiguration {
    let version = KitVersion.current.line
    guard case .path(let path) = CommandTree.extent, let noun = path.first else {
      return CommandConfiguration("mpaas", key: "mpaas", version: version, groups: groups)
    }
    return CommandConfiguration("mpaas", key: "mpaas", version: version, subcommands: [noun])
  }
}

/// The commands of the running program.
package enum CommandTree {
  /// The part of the tree that the parser gets.
  @TaskLocal package static var extent = CommandExtent.whole

  /// The root; nil outside of a call.
  @TaskLocal package static var root: (any ProgramRoot.Type)?
}
