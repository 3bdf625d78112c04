import ArgumentParser
import CommandKit
import KeyCommands
import MPaaSTerminal
import MPaaSTrustTools

extension RegistryCommand {
  /// `mpaas registry init DIR`: a new repository, with its keys.
  struct Init: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("init", key: "registry.init") }

    @Argument(help: .text("command.registry.init.folder"), completion: .directory)
    var folder: String

    @OptionGroup var keys: RegistryKeyOptions

    @Option(help: .text("command.registry.init.threshold", valueName: "count"))
    var threshold: Int?

    @Option(
      name: .customLong("online-key"), help: .text("command.registry.init.online-key", valueName: "name"),
      completion: .keyNames)
    var onlineKeys: [String] = []

    @Option(
      name: .customLong("key-for-role"), help: .text("command.registry.init.key-for-role", valueName: "role=name"),
      completion: .keysForRoles)
    var roleKeys: [RepositoryCreation.Assignment] = []

    @Option(help: .text("command.registry.init.expires", valueName: "role=days"))
    var expires: [RepositoryCreation.Assignment] = []

    @Option(help: .text("command.registry.init.director", valueName: "pattern"))
    var director: [String] = []

    @Flag(help: .text("command.registry.init.no-director"))
    var noDirector = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> CreatedRegistry {
      var creation = RepositoryCreation(folder)
      creation.offline = keys.keys
      creation.online = onlineKeys
      creation.keys = roleKeys
      creation.days = expires
      creation.threshold = threshold
      creation.directorPaths = noDirector ? [] : director.isEmpty ? nil : director
      let (outcome, made) = try creation.run(with: keys.keyring(in: context))
      if let made {
        context.terminal.note(StyledText(context.catalogue.text("text.registry-online-key", ["name": made])))
      }
      return CreatedRegistry(
        RegistryOutcome(outcome, repository: folder, in: context), validity: try creation.validity)
    }
  }
}
