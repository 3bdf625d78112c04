import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
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

    @Option(help: .text("command.registry.add.role", valueName: "role"))
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
      guard name == nil || files.count == 1 else { throw Diagnostic("registry-one-name", exit: .usage) }
      let members = try customMembers()
      let editor = repository.editor(context)
      var modules: [CheckedModule] = []
      var others: [String] = []
      for file in files {
        // Who gives a name wants the file under it, whatever it is.
        if name == nil, prefix == nil, let module = try CheckedModule(archive: file) {
          modules.append(module)
        } else {
          others.append(file)
        }
      }
      let time = Self.time(in: context)
      let folder = prefix.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? ""
      let targets = others.map { (file: $0, name: folder + (name ?? FileSystem.name(of: $0))) }
      try Self.check(targets.map(\.name), in: editor)
      if !modules.isEmpty { try Self.examine(&modules, in: editor, at: time) }
      let isRefused = modules.contains { $0.isRefused(isStrict) }
      guard !isTrial, !isRefused else {
        return AddedTargets(modules, repository: repository.repository, isTrial: isTrial, isStrict: isStrict)
      }
      let signers = try keys.signers(for: editor, in: context)
      func addOthers(_ draft: inout RepositoryDraft) throws(TrustError) {
        for target in targets { try draft.add(.file(target.file), as: target.name, custom: members, role: role) }
      }
      let outcome: RepositoryEditor.Outcome
      if modules.isEmpty {
        outcome = try editor.edit(keys: signers) { draft throws(TrustError) in try addOthers(&draft) }
      } else {
        outcome = try editor.editModules(keys: signers, role: role, also: addOthers) { shelf throws(ModuleError) in
          for module in modules { _ = try shelf.add(module.check, file: module.file, at: time) }
        }
      }
      let told = RegistryOutcome(outcome, repository: repository.repository, in: context)
      return AddedTargets(modules, told, isStrict: isStrict)
    }

    /// Refuses names that only look like another; before anything is staged.
    private static func check(_ names: [String], in editor: RepositoryEditor) throws {
      guard !names.isEmpty else { return }
      var draft = try editor.read()
      try TargetNames.check(names, beside: draft.allTargets().keys.map { "\($0)" })
    }

    /// Seconds since 1970: now, or what reproducible builds are told (SOURCE_DATE_EPOCH).
    private static func time(in context: Context) -> Int64 {
      context.environment["SOURCE_DATE_EPOCH"].flatMap(Int64.init).map { max($0, 0) }
        ?? Int64(context.now().timeIntervalSince1970)
    }

    private func customMembers() throws -> JSONValue? {
      guard let custom else { return nil }
      let members = Array(custom.utf8).withUnsafeBytes { try? JSONValue(reading: $0) }
      guard members?.object != nil, (try? members?.canonical()) != nil else {
        throw Diagnostic("registry-bad-custom", ["value": custom], exit: .usage)
      }
      return members
    }

    /// Looks at modules beside what the repository has and beside each other; nothing is staged.
    private static func examine(
      _ modules: inout [CheckedModule], in editor: RepositoryEditor, at time: Int64
    ) throws {
      var draft = try editor.read()
      var shelf = try ModuleShelf(reading: &draft)
      for place in modules.indices {
        let module = modules[place]
        modules[place].isNew = try shelf.add(module.check, file: module.file, at: time)
      }
      for place in modules.indices { modules[place].check.check(beside: shelf) }
    }
  }

  /// `mpaas registry remove NAME…`: targets and versions of modules are offered no longer.
  struct Remove: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("remove", key: "registry.remove") }

    @Argument(help: .text("command.registry.remove.names"))
    var names: [String]

    @Flag(name: .customLong("all"), help: .text("command.registry.remove.all"))
    var all = false

    @OptionGroup var repository: RepositoryOption
    @OptionGroup var keys: RegistryKeyOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> RegistryOutcome {
      let editor = repository.editor(context)
      let signers = try keys.signers(for: editor, in: context)
      var draft = try editor.read()
      var targets: [String] = []
      var modules: [(name: String, version: ModuleVersion?)] = []
      for name in names {
        // A target may be called as a version is.
        if try draft.target(name) != nil {
          targets.append(name)
        } else if all, ModuleName.isValid(name) {
          modules.append((name, nil))
        } else if let module = ModuleAtVersion(argument: name) {
          modules.append((module.name, module.version))
        } else {
          targets.append(name)
        }
      }
      let (chosen, versions) = (targets, modules)
      func removeTargets(_ draft: inout RepositoryDraft) throws(TrustError) {
        for target in chosen { try draft.remove(target) }
      }
      let outcome: RepositoryEditor.Outcome
      if versions.isEmpty {
        outcome = try editor.edit(keys: signers) { draft throws(TrustError) in try removeTargets(&draft) }
      } else {
        outcome = try editor.editModules(keys: signers, also: removeTargets) { shelf throws(ModuleError) in
          for module in versions { try shelf.remove(module.name, module.version) }
        }
      }
      return RegistryOutcome(outcome, repository: repository.repository, in: context)
    }
  }
}
