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
      try await edit.add(words, for: targets, target: target.target, copies: copy) { name in
        try await Self.catalog(files, sync.catalog, having: name, context)
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

    @Argument(help: .text("command.module.remove.names", valueName: "name"), completion: .projectModules)
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
      let owners = files.lock?.owners(of: name, among: Set(synced.modules.map(\.name))) ?? []
      guard !owners.isEmpty else { return }
      let list = owners.joined(separator: ", ")
      context.terminal.note(StyledText(context.catalogue.text("text.module-stays", ["name": name, "owners": list])))
    }
  }
}
