import ArgumentParser
import CommandKit
import MPaaSArchive
import MPaaSModuleTools
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension RegistryCommand {
  /// `mpaas registry pack FOLDER`: makes the archive of a module.
  struct Pack: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("pack", key: "registry.pack") }

    @Argument(help: .text("command.registry.pack.folders"), completion: .directory)
    var folders: [String]

    @Option(help: .text("command.registry.pack.output", valueName: "folder"), completion: .directory)
    var output = "."

    @Option(help: .text("command.registry.pack.format", valueName: "format"))
    var format: ModuleArchive.Format = .tarZstandard

    @Flag(name: .customLong("init"), help: .text("command.registry.pack.init"))
    var writesManifests = false

    @Flag(name: .customLong("strict"), help: .text("command.registry.pack.strict"))
    var isStrict = false

    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> PackedModules {
      for skeleton in writesManifests ? try ModuleSkeleton.writingMissing(in: folders) : [] {
        context.terminal.note(StyledText(context.catalogue.text("text.module-init-wrote", ["file": skeleton.file])))
      }
      let modules = try CheckedModule.packing(folders, into: output, format: format, isStrict: isStrict)
      return PackedModules(modules, isStrict: isStrict)
    }
  }
}

extension ModuleArchive.Format: ExpressibleByArgument {}

/// The archives that were made, and those that were not since something is wrong with them.
struct PackedModules: Presentable {
  let modules: [ModuleReport]
  let valid: Bool

  init(_ modules: [CheckedModule], isStrict: Bool) {
    self.modules = modules.map { ModuleReport($0, isStrict: isStrict) }
    valid = !modules.contains { $0.isRefused(isStrict) }
  }

  private enum CodingKeys: String, CodingKey {
    case modules, valid
  }

  var exit: ExitStatus { valid ? .done : .negative }

  func document(_ catalogue: Catalogue) -> Document {
    var document = Document()
    for module in modules {
      module.append(to: &document, catalogue)
      if !module.isRefused { document.line(StyledText(module.file, .path)) }
    }
    if !valid { document.line(StyledText(catalogue.text("text.module-not-packed"), .bad)) }
    return document
  }
}
