import ArgumentParser
import CommandKit
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

extension ConsoleCommand {
  /// `mpaas console migrate --to DATABASE`: moves all rows of a console to a database of the other engine, or of the same.
  struct Migrate: StreamingCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("migrate", key: "console.migrate") }

    @Option(help: .text("command.console.migrate.from", valueName: "database"))
    var from: String?

    @Option(help: .text("command.console.migrate.to", valueName: "database"))
    var to: String

    @Option(help: .text("command.serve.data", valueName: "folder"), completion: .directory)
    var data: String?

    @OptionGroup var common: CommonOptions

    func run(in context: Context, results: ResultSink) async throws -> ExitStatus {
      var configuration = ServerConfiguration(workingOn: data, in: context)
      configuration.database = try from.map(Self.place)
      configuration.migrate = try Self.place(of: to)
      throw try configuration.become(in: context)
    }

    private static func place(of database: String) throws -> String {
      guard let place = ServerConfiguration.database(database) else {
        throw Diagnostic("serve-database", ["database": database], exit: .usage)
      }
      return place
    }
  }
}
