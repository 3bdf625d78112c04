import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServicesTools
import MPaaSProtocol
import MPaaSTerminal

extension ConsoleCommand {
  /// `mpaas console session …`: who is logged in.
  struct Session: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("session", key: "console.session", subcommands: [List.self, End.self])
    }
  }
}

extension ConsoleCommand.Session {
  /// `mpaas console session list`.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "console.session.list") }

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> SessionList {
      SessionList(sessions: try await server.server(in: context).sessions())
    }
  }

  /// `mpaas console session end ID…`.
  struct End: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("end", key: "console.session.end") }

    @Argument(help: .text("command.console.session.ids", valueName: "id"), completion: .consoleSessions)
    var ids: [String]

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ConsoleRemoval {
      let server = try server.server(in: context)
      for id in ids { try await server.endSession(id) }
      return ConsoleRemoval(removed: ids)
    }
  }
}
