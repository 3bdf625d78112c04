import ArgumentParser
import CommandKit

/// `mpaas dao …`: how objects are kept in a database.
struct DAOCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration("dao", key: "dao", subcommands: [Generate.self])
  }
}
