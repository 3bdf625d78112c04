import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServicesTools
import MPaaSProtocol
import MPaaSTerminal

extension ConsoleCommand {
  /// `mpaas console team …`: people who have roles for some apps.
  struct Team: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        "team", key: "console.team", subcommands: [Add.self, List.self, Change.self, Remove.self])
    }
  }

  /// The apps and members of a team.
  struct TeamOptions: ParsableArguments {
    @Option(help: .text("command.console.team.app", valueName: "app"))
    var app: [String] = []

    @Option(help: .text("command.console.team.member", valueName: "name=role"))
    var member: [String] = []

    func validate() throws { _ = try members() }

    func members() throws -> [TeamEntry.Member] {
      try member.map { word in
        let parts = word.split(separator: "=").map(String.init)
        guard parts.count == 2, ["admin", "member", "reader"].contains(parts[1]) else {
          throw ValidationError(Catalogue.current.text("text.console-member", ["word": word]))
        }
        return TeamEntry.Member(person: parts[0], role: parts[1])
      }
    }
  }
}

extension ConsoleCommand.Team {
  /// `mpaas console team add NAME`.
  struct Add: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add", key: "console.team.add") }

    @Argument(help: .text("command.console.team.new", valueName: "name"))
    var name: String

    @OptionGroup var team: ConsoleCommand.TeamOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TeamList {
      let wish = TeamWish(name: name, apps: team.app, members: try team.members())
      return TeamList(teams: [try await server.server(in: context).createTeam(wish)])
    }
  }

  /// `mpaas console team list`.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "console.team.list") }

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TeamList {
      TeamList(teams: try await server.server(in: context).teams())
    }
  }

  /// `mpaas console team change NAME`: adds apps and members, gives other roles, and takes members away.
  struct Change: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("change", key: "console.team.change") }

    @Argument(help: .text("command.console.team.name", valueName: "name"), completion: .consoleTeams)
    var name: String

    @OptionGroup var team: ConsoleCommand.TeamOptions

    @Option(help: .text("command.console.team.without", valueName: "name"), completion: .consolePeople)
    var without: [String] = []

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> TeamList {
      let server = try server.server(in: context)
      let known = try await server.teams().first { $0.name == name || $0.id == name }
      let added = try team.members()
      let gone = Set(without + added.map(\.person))
      let members = (known?.members ?? []).filter { !gone.contains($0.person) } + added
      let wish = TeamWish(apps: (known?.apps ?? []) + team.app, members: members)
      return TeamList(teams: [try await server.changeTeam(name, wish)])
    }
  }

  /// `mpaas console team remove NAME…`.
  struct Remove: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("remove", key: "console.team.remove") }

    @Argument(help: .text("command.console.team.names", valueName: "name"), completion: .consoleTeams)
    var names: [String]

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ConsoleRemoval {
      let server = try server.server(in: context)
      for name in names { try await server.removeTeam(name) }
      return ConsoleRemoval(removed: names)
    }
  }
}
