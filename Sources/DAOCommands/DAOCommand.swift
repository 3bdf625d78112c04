package import ArgumentParser
import CommandKit

/// The commands of DAO documents.
package enum DAONouns {
  package static var all: [any ParsableCommand.Type] { [DAOCommand.self] }
}

/// `mpaas dao …`: objects in a database by documents that describe tables and statements.
struct DAOCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "dao", key: "dao", subcommands: [Generate.self, Check.self, Compile.self, Explain.self, Run.self])
  }
}
