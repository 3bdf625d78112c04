import ArgumentParser
import MPaaSSupport
import MPaaSTerminal
import MPaaSTrust

extension RegistryCommand {
  /// `mpaas registry add FILE…`: files become targets.
  struct Add: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add", key: "registry.add") }

    @Argument(help: .text("command.registry.add.files"), completion: .file())
    var files: [String]

    @Option(help: .text("command.registry.add.name", valueName: "name"))
    var name: String?

    @Option(help: .text("command.registry.add.prefix", valueName: "folder"))
    var prefix: String?

    @Option(help: .text("command.registry.add.role", valueName: "role"))
    var role: String?

    @Option(help: .text("command.registry.add.custom", valueName: "json"))
    var custom: String?

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var keys: RegistryKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RegistryOutcome {
      guard name == nil || files.count == 1 else { throw Diagnostic("registry-one-name", exit: .usage) }
      var members: JSONValue?
      if let custom {
        members = Array(custom.utf8).withUnsafeBytes { try? JSONValue(reading: $0) }
        guard members?.object != nil, (try? members?.canonical()) != nil else {
          throw Diagnostic("registry-bad-custom", ["value": custom], exit: .usage)
        }
      }
      let folder = prefix.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
      let editor = repository.editor(context)
      let signers = try keys.signers(for: editor, in: context)
      let value = members
      let outcome = try editor.edit(keys: signers) { draft throws(TrustError) in
        for file in files {
          try draft.add(.file(file), as: folder + (name ?? FileSystem.name(of: file)), custom: value, role: role)
        }
      }
      return RegistryOutcome(outcome, repository: repository.repository, in: context)
    }
  }

  /// `mpaas registry remove NAME…`: targets are offered no longer.
  struct Remove: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("remove", key: "registry.remove") }

    @Argument(help: .text("command.registry.remove.names"))
    var names: [String]

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var keys: RegistryKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RegistryOutcome {
      let editor = repository.editor(context)
      let signers = try keys.signers(for: editor, in: context)
      let outcome = try editor.edit(keys: signers) { draft throws(TrustError) in
        for name in names { try draft.remove(name) }
      }
      return RegistryOutcome(outcome, repository: repository.repository, in: context)
    }
  }
}
