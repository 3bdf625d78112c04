import ArgumentParser
import CommandKit
import MPaaSModuleTools
import MPaaSTerminal
import MPaaSTrust

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension RegistryCommand {
  /// `mpaas registry add FILE…`: files become targets, and archives of modules become versions on offer.
  struct Add: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add", key: "registry.add") }

    @Argument(help: .text("command.registry.add.files"), completion: .file())
    var files: [String]

    @Option(help: .text("command.registry.add.name", valueName: "name"))
    var name: String?

    @Option(help: .text("command.registry.add.prefix", valueName: "folder"))
    var prefix: String?

    @Option(help: .text("command.registry.add.role", valueName: "role"), completion: .targetsRoles)
    var role: String?

    @Option(help: .text("command.registry.add.custom", valueName: "json"))
    var custom: String?

    @Flag(name: .customLong("dry-run"), help: .text("command.registry.add.dry-run"))
    var isTrial = false

    @Flag(name: .customLong("strict"), help: .text("command.registry.add.strict"))
    var isStrict = false

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var keys: RegistryKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> AddedTargets {
      var publication = FilePublication(files)
      publication.name = name
      publication.prefix = prefix
      publication.role = role
      publication.custom = custom
      publication.isTrial = isTrial
      publication.isStrict = isStrict
      let editor = repository.editor(context)
      let outcome = try publication.run(in: editor, at: Self.time(in: context)) {
        try keys.signers(for: editor, in: context)
      }
      guard let change = outcome.change else {
        return AddedTargets(outcome.modules, repository: repository.repository, isTrial: isTrial, isStrict: isStrict)
      }
      let told = RegistryOutcome(change, repository: repository.repository, in: context)
      return AddedTargets(outcome.modules, told, isStrict: isStrict)
    }

    /// Seconds since 1970: now, or what reproducible builds are told (SOURCE_DATE_EPOCH).
    private static func time(in context: Context) -> Int64 {
      context.environment["SOURCE_DATE_EPOCH"].flatMap(Int64.init).map { max($0, 0) }
        ?? Int64(context.now().timeIntervalSince1970)
    }
  }

  /// `mpaas registry remove NAME…`: targets and versions of modules are offered no longer.
  struct Remove: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("remove", key: "registry.remove") }

    @Argument(help: .text("command.registry.remove.names"), completion: .offeredVersions)
    var names: [String]

    @Flag(name: .customLong("all"), help: .text("command.registry.remove.all"))
    var all = false

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var keys: RegistryKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RegistryOutcome {
      let editor = repository.editor(context)
      let signers = try keys.signers(for: editor, in: context)
      let outcome = try editor.remove(names, wholeModules: all, keys: signers)
      return RegistryOutcome(outcome, repository: repository.repository, in: context)
    }
  }
}
