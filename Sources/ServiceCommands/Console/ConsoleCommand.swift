import ArgumentParser
import CommandKit
import LogCommands
import MPaaSProtocol
import MPaaSTerminal

/// `mpaas console …`: who may do what at the console, whom it tells of what, and the builds that it keeps.
struct ConsoleCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "console", key: "console",
      subcommands: [
        Token.self, User.self, Team.self, Session.self, Audit.self, Alert.self, Build.self, Backup.self, Restore.self,
        Migrate.self,
      ])
  }
}

extension ConsoleCommand {
  /// The roles that accounts and tokens have.
  enum RoleWord: String, ExpressibleByArgument, CaseIterable { case owner, admin, member, reader, ingest }
}

extension CompletionKind {
  /// The tokens of the server that a command would ask.
  static var consoleTokens: CompletionKind {
    served(ConsolePaths.tokens) { (page: TokenPage) in page.tokens.map { Candidate($0.id, $0.name) } }
  }

  /// The names of accounts.
  static var consolePeople: CompletionKind {
    served(ConsolePaths.people) { (page: PeoplePage) in page.people.map { Candidate($0.name, $0.role ?? "") } }
  }

  /// The names of teams.
  static var consoleTeams: CompletionKind {
    served(ConsolePaths.teams) { (page: TeamPage) in page.teams.map { Candidate($0.name, $0.id) } }
  }

  /// The sessions of people who are logged in.
  static var consoleSessions: CompletionKind {
    served(ConsolePaths.sessions) { (page: SessionPage) in page.sessions.map { Candidate($0.id, $0.name) } }
  }

  /// The alerts.
  static var consoleAlerts: CompletionKind {
    served(ConsolePaths.alerts) { (page: AlertPage) in page.alerts.map { Candidate($0.id, $0.name) } }
  }

  /// The builds.
  static var consoleBuilds: CompletionKind {
    served(ConsolePaths.builds) { (page: BuildPage) in
      page.builds.map { Candidate($0.id, "\($0.name) \($0.version) (\($0.build))") }
    }
  }
}
