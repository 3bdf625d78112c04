import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension ModuleCommand {
  /// `mpaas module sync`: brings the project into step with its manifest.
  struct Sync: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("sync", key: "module.sync") }

    @Flag(help: .text("command.module.frozen"))
    var frozen = false

    @Flag(help: .text("command.module.copy-now"))
    var copy = false

    @OptionGroup var project: ProjectOption
    @OptionGroup var sync: ModuleSyncOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> SyncedProject {
      var options = sync.options(in: context)
      options.frozen = frozen || context.environment.isSet("MPAAS_FROZEN")
      if copy { options.place = .copy }
      return try await sync.run(try project.folder(), options, in: context)
    }
  }

  /// `mpaas module update [NAME…]`: goes to the newest versions that the manifest allows.
  struct Update: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("update", key: "module.update") }

    @Argument(help: .text("command.module.update.names", valueName: "name"), completion: .projectModules)
    var names: [String] = []

    @Flag(help: .text("command.module.copy-now"))
    var copy = false

    @OptionGroup var project: ProjectOption
    @OptionGroup var target: TargetOption
    @OptionGroup var sync: ModuleSyncOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> SyncedProject {
      let folder = try project.folder()
      var options = sync.options(in: context)
      options.update = names.isEmpty ? .all : .names(Set(names))
      if target.target != nil {
        options.updatedTarget = try target.targets(of: ProjectFiles(in: folder).manifest).first?.name
      }
      if copy { options.place = .copy }
      return try await sync.run(folder, options, in: context)
    }
  }
}
