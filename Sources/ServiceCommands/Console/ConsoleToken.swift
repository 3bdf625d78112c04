import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServicesTools
import MPaaSProtocol
import MPaaSTerminal

extension ConsoleCommand {
  /// `mpaas console token …`: tokens for programs.
  struct Token: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        "token", key: "console.token", subcommands: [Create.self, List.self, Revoke.self, Rotate.self])
    }
  }
}

extension ConsoleCommand.Token {
  /// `mpaas console token create NAME`: prints a token, this once.
  struct Create: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("create", key: "console.token.create") }

    @Argument(help: .text("command.console.token.create.name", valueName: "name"))
    var name: String

    @Option(help: .text("command.console.token.role"))
    var role: ConsoleCommand.RoleWord?

    @Option(help: .text("command.console.token.scope", valueName: "scope"))
    var scope: [String] = []

    @Option(help: .text("command.console.token.app", valueName: "app"))
    var app: [String] = []

    @Option(help: .text("command.console.token.days", valueName: "number"))
    var days: Double?

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
      guard (role == nil) != scope.isEmpty else {
        throw ValidationError(Catalogue.current.text("text.console-role-or-scope"))
      }
    }

    func run(in context: Context) async throws -> TokenView {
      let wish = TokenWish(
        name: name, scopes: scope, role: role?.rawValue, lifetime: days.map { $0 * 86_400 },
        apps: app.isEmpty ? nil : app)
      return TokenView(made: try await server.server(in: context).createToken(wish))
    }
  }

  /// `mpaas console token list`: what there is, without the tokens themselves.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "console.token.list") }

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TokenList {
      TokenList(tokens: try await server.server(in: context).tokens())
    }
  }

  /// `mpaas console token revoke ID…`: ends tokens at once.
  struct Revoke: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("revoke", key: "console.token.revoke") }

    @Argument(help: .text("command.console.token.ids", valueName: "id"), completion: .consoleTokens)
    var ids: [String]

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ConsoleRemoval {
      let server = try server.server(in: context)
      for id in ids { try await server.revokeToken(id) }
      return ConsoleRemoval(removed: ids)
    }
  }

  /// `mpaas console token rotate ID`: prints another token that takes its place.
  struct Rotate: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("rotate", key: "console.token.rotate") }

    @Argument(help: .text("command.console.token.id", valueName: "id"), completion: .consoleTokens)
    var id: String

    @Option(help: .text("command.console.token.grace", valueName: "seconds"))
    var grace: Double?

    @Option(help: .text("command.console.token.days", valueName: "number"))
    var days: Double?

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TokenView {
      let wish = TokenRotation(grace: grace, lifetime: days.map { $0 * 86_400 })
      return TokenView(made: try await server.server(in: context).rotateToken(id, wish))
    }
  }
}
