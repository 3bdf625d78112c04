import ArgumentParser
import CommandKit
import LogCommands
import MPaaSAppServicesTools
import MPaaSProtocol
import MPaaSTerminal

extension ConsoleCommand {
  /// `mpaas console alert …`: whom the console tells of what.
  struct Alert: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        "alert", key: "console.alert", subcommands: [List.self, Add.self, Remove.self, Test.self, Deliveries.self])
    }
  }

  /// The condition of an alert.
  struct AlertOptions: ParsableArguments {
    enum Condition: String, ExpressibleByArgument, CaseIterable {
      case new, regressed, count, users, adoption, quota
      case crashFreeBelow = "crash-free-below"
    }

    @Option(help: .text("command.console.alert.when"))
    var when: Condition

    @Option(help: .text("command.console.alert.over", valueName: "number"))
    var over: Double?

    @Option(help: .text("command.console.alert.minutes", valueName: "number"))
    var minutes: Int64 = 5

    @Option(help: .text("command.console.alert.hours", valueName: "number"))
    var hours: Int64?

    @Option(help: .text("command.console.alert.release", valueName: "release"))
    var release: String?

    @Option(help: .text("command.console.alert.level", valueName: "level"))
    var level: String?

    func validate() throws {
      guard over != nil || when == .new || when == .regressed else {
        throw ValidationError(Catalogue.current.text("text.console-over"))
      }
      guard over.map({ $0 >= 0 && $0 < 1e15 }) ?? true else {
        throw ValidationError(Catalogue.current.text("text.console-over"))
      }
    }

    var condition: AlertWhen {
      var condition = AlertWhen()
      let over = over ?? 0
      switch when {
      case .new: condition.new = AlertWhen.Issue(level: level)
      case .regressed: condition.regressed = AlertWhen.Issue(level: level)
      case .count: condition.count = AlertWhen.Count(over: Int64(over), minutes: minutes)
      case .users: condition.users = AlertWhen.Count(over: Int64(over), minutes: minutes)
      case .crashFreeBelow:
        condition.crashFreeBelow = AlertWhen.CrashFree(share: over / 100, hours: hours, release: release)
      case .adoption: condition.adoption = AlertWhen.Adoption(over: over / 100, release: release)
      case .quota: condition.quota = AlertWhen.Quota(over: over / 100)
      }
      return condition
    }
  }
}

extension ConsoleCommand.Alert {
  /// `mpaas console alert list`.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "console.alert.list") }

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> AlertList {
      AlertList(alerts: try await server.server(in: context).alerts())
    }
  }

  /// `mpaas console alert add NAME`.
  struct Add: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add", key: "console.alert.add") }

    @Argument(help: .text("command.console.alert.name", valueName: "name"))
    var name: String

    @OptionGroup var condition: ConsoleCommand.AlertOptions

    @Option(help: .text("command.console.alert.webhook", valueName: "url"))
    var webhook: [String] = []

    @Option(help: .text("command.console.alert.form"))
    var form: FormWord?

    @Option(help: .text("command.console.alert.secret-file", valueName: "file"), completion: .file())
    var secretFile: String?

    @Option(help: .text("command.console.alert.mail", valueName: "address"))
    var mail: [String] = []

    @Option(help: .text("command.console.alert.app", valueName: "app"))
    var app: String?

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    /// The forms of webhooks.
    enum FormWord: String, ExpressibleByArgument, CaseIterable { case json, feishu, dingtalk, slack }

    func run(in context: Context) async throws -> AlertList {
      let secret = try secretFile.map { try TokenFile.read($0, in: context) }
      let language = context.catalogue.language.rawValue
      let webhooks = webhook.map { url in
        AlertTarget(webhook: url, form: form?.rawValue, secret: secret, language: language)
      }
      let targets = webhooks + mail.map { AlertTarget(mail: $0, language: language) }
      let wish = AlertWish(name: name, when: condition.condition, to: targets, app: app)
      return AlertList(alerts: [try await server.server(in: context).createAlert(wish)])
    }
  }

  /// `mpaas console alert remove ID…`.
  struct Remove: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("remove", key: "console.alert.remove") }

    @Argument(help: .text("command.console.alert.ids", valueName: "id"), completion: .consoleAlerts)
    var ids: [String]

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ConsoleRemoval {
      let server = try server.server(in: context)
      for id in ids { try await server.removeAlert(id) }
      return ConsoleRemoval(removed: ids)
    }
  }

  /// `mpaas console alert test ID`: sends each receiver a message, and says what came of it.
  struct Test: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("test", key: "console.alert.test") }

    @Argument(help: .text("command.console.alert.id", valueName: "id"), completion: .consoleAlerts)
    var id: String

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    /// The looks at the first attempts, a quarter of a second apart.
    private static let looks = 160

    func run(in context: Context) async throws -> DeliveryList {
      let server = try server.server(in: context)
      let before = Set(try await server.deliveries(ofAlert: id).map(\.id))
      try await server.testAlert(id)
      var found: [AlertDelivery] = []
      for _ in 0..<Self.looks {
        found = try await server.deliveries(ofAlert: id).filter { $0.kind == .test && !before.contains($0.id) }
        // The first attempt is over where there is an outcome, or a reason to try again.
        if !found.isEmpty, found.allSatisfy({ $0.state != .waiting || !$0.reason.isEmpty }) { break }
        try await Task.sleep(for: .milliseconds(250))
      }
      return DeliveryList(deliveries: found)
    }
  }

  /// `mpaas console alert deliveries ID`: what became of the messages of an alert.
  struct Deliveries: MPaaSCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration("deliveries", key: "console.alert.deliveries")
    }

    @Argument(help: .text("command.console.alert.id", valueName: "id"), completion: .consoleAlerts)
    var id: String

    @OptionGroup var server: ServerOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> DeliveryList {
      DeliveryList(deliveries: try await server.server(in: context).deliveries(ofAlert: id))
    }
  }
}
