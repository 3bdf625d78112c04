import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension ModuleCommand {
  /// `mpaas module add NAME[@REQUIREMENT]…`: the project uses more modules.
  struct Add: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("add", key: "module.add") }

    @Argument(help: .text("command.module.add.names", valueName: "name[@requirement]"), completion: .moduleNames)
    var words: [String]

    @Flag(help: .text("command.module.add.copy"))
    var copy = false

    @OptionGroup var project: ProjectOption
    @OptionGroup var target: TargetOption
    @OptionGroup var sync: ModuleSyncOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> SyncedProject {
      let files = try project.files()
      let targets = try target.targets(of: files.manifest)
      var edit = ModuleEdit(files)
      var catalog: ModuleCatalog?
      for word in words {
        let request = try ModuleRequest(word)
        let name = request.name
        if let requirement = request.requirement {
          try edit.add(name, requirement, target: target.target, copies: copy)
          continue
        }
        let known: ModuleCatalog
        if let catalog, catalog.has(name) {
          known = catalog
        } else {
          known = try await Self.catalog(files, sync.catalog, having: name, context)
        }
        catalog = known
        let index = try known.known(name).index
        guard let newest = index.newest(for: targets) else {
          throw Diagnostic("module-add-no-version", ["name": name], exit: .negative)
        }
        try edit.add(index.name, "^" + newest.text, target: target.target, copies: copy)
      }
      return try await sync.run(
        files.folder, sync.options(in: context), editing: edit.text, in: context)
    }

    private static func catalog(
      _ files: ProjectFiles, _ options: CatalogOptions, having name: String, _ context: Context
    ) async throws -> ModuleCatalog {
      let configuration = try RegistryConfiguration(
        directories: context.directories, project: files.manifest.registries, in: files.folder,
        choosing: options.chosen(in: context))
      return try await context.catalog(configuration, options.freshness(in: context), having: [name])
    }
  }

  /// `mpaas module remove NAME…`: the project asks for modules no longer.
  struct Remove: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("remove", key: "module.remove") }

    @Argument(help: .text("command.module.remove.names", valueName: "name"))
    var names: [String]

    @OptionGroup var project: ProjectOption
    @OptionGroup var target: TargetOption
    @OptionGroup var sync: ModuleSyncOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> SyncedProject {
      let files = try project.files()
      _ = try target.targets(of: files.manifest)
      var edit = ModuleEdit(files)
      for name in names { try edit.remove(name, target: target.target, lock: files.lock) }
      let synced = try await sync.run(
        files.folder, sync.options(in: context), editing: edit.text, in: context)
      for name in names { tell(name, of: files, synced, context) }
      return synced
    }

    /// Says so where other modules need what the project asks for no longer.
    private func tell(_ name: String, of files: ProjectFiles, _ synced: SyncedProject, _ context: Context) {
      let left = Set(synced.modules.map(\.name))
      let owners = files.lock?.modules.filter { module in
        left.contains(module.name) && module.dependencies.contains { $0.name == name }
      }
      guard left.contains(name), let owners, !owners.isEmpty else { return }
      let list = Set(owners.map(\.name)).sorted().joined(separator: ", ")
      context.terminal.note(StyledText(context.catalogue.text("text.module-stays", ["name": name, "owners": list])))
    }
  }
}
