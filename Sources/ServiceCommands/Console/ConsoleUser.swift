import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServicesTools
import MPaaSProtocol
import MPaaSSupport
import MPaaSTerminal

extension ConsoleCommand {
  /// `mpaas console user …`: accounts of people.
  struct User: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        "user", key: "console.user",
        subcommands: [Add.self, List.self, Change.self, Disable.self, Enable.self, Password.self])
    }
  }

  /// The file that a password is read from.
  struct PasswordOptions: ParsableArguments {
    @Option(help: .text("command.console.password-file", valueName: "file"), completion: .file())
    var passwordFile: String?

    /// The password of a file or of standard input; else a person is asked.
    func password(of name: String, in context: Context) throws -> String {
      if let passwordFile {
        let bytes = try passwordFile == "-" ? context.data(at: "-") : Bytes.reading(passwordFile, limit: 4096)
        return String(bytes.text.prefix { !$0.isNewline })
      }
      let question = context.catalogue.text("text.console-password-ask", ["name": name])
      return String(decoding: try context.terminal.askSecret(question, option: "--password-file"), as: UTF8.self)
    }
  }
}

extension ConsoleCommand.User {
  /// `mpaas console user add NAME`.
  struct Add: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add", key: "console.user.add") }

    @Argument(help: .text("command.console.user.new", valueName: "name"))
    var name: String

    @Option(help: .text("command.console.user.role"))
    var role: ConsoleCommand.RoleWord?

    @Option(help: .text("command.console.user.mail", valueName: "address"))
    var mail: String?

    @Option(help: .text("command.console.user.subject", valueName: "subject"))
    var subject: String?

    @OptionGroup var password: ConsoleCommand.PasswordOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PeopleList {
      var wish = PersonWish(name: name, mail: mail, role: role?.rawValue, subject: subject)
      // Whom an issuer lets in has none.
      if subject == nil { wish.password = try password.password(of: name, in: context) }
      return PeopleList(people: [try await server.server(in: context).createPerson(wish)])
    }
  }

  /// `mpaas console user list`.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "console.user.list") }

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PeopleList {
      PeopleList(people: try await server.server(in: context).people())
    }
  }

  /// `mpaas console user change NAME`: gives an account another role or address of mail, or binds it to an issuer.
  struct Change: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("change", key: "console.user.change") }

    @Argument(help: .text("command.console.user.name", valueName: "name"), completion: .consolePeople)
    var name: String

    @Option(help: .text("command.console.user.role"))
    var role: ConsoleCommand.RoleWord?

    @Flag(help: .text("command.console.user.no-role"))
    var noRole = false

    @Option(help: .text("command.console.user.mail", valueName: "address"))
    var mail: String?

    @Option(help: .text("command.console.user.subject", valueName: "subject"))
    var subject: String?

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PeopleList {
      let wish = PersonWish(mail: mail, role: noRole ? "" : role?.rawValue, subject: subject)
      return PeopleList(people: [try await server.server(in: context).changePerson(name, wish)])
    }
  }

  /// `mpaas console user disable NAME…`: lets accounts in no more, and ends their sessions.
  struct Disable: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("disable", key: "console.user.disable") }

    @Argument(help: .text("command.console.user.names", valueName: "name"), completion: .consolePeople)
    var names: [String]

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PeopleList {
      try await PeopleList(changing: names, PersonWish(disabled: true), server.server(in: context))
    }
  }

  /// `mpaas console user enable NAME…`: lets accounts in again.
  struct Enable: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("enable", key: "console.user.enable") }

    @Argument(help: .text("command.console.user.names", valueName: "name"), completion: .consolePeople)
    var names: [String]

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PeopleList {
      try await PeopleList(changing: names, PersonWish(disabled: false), server.server(in: context))
    }
  }

  /// `mpaas console user password NAME`: gives an account another password.
  struct Password: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("password", key: "console.user.password") }

    @Argument(help: .text("command.console.user.name", valueName: "name"), completion: .consolePeople)
    var name: String

    @OptionGroup var password: ConsoleCommand.PasswordOptions
    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PeopleList {
      let wish = PersonWish(password: try password.password(of: name, in: context))
      return PeopleList(people: [try await server.server(in: context).changePerson(name, wish)])
    }
  }
}
