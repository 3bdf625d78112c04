import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSPipelines
import MPaaSSupport
import MPaaSTerminal
import ModuleCommands

/// `mpaas ci release-notes FROM..TO`: the modules that changed between two versions of a project's lock.
struct CIReleaseNotesCommand: MPaaSCommand {
  static var configuration: CommandConfiguration { CommandConfiguration("release-notes", key: "ci.release-notes") }

  @Argument(help: .text("command.ci.release-notes.range", valueName: "from..to"))
  var range: String

  @Option(name: .shortAndLong, help: .text("command.ci.release-notes.output", valueName: "file"), completion: .file())
  var output: String?

  @OptionGroup var project: ProjectOption
  @OptionGroup var catalog: CatalogOptions
  @OptionGroup var common: CommonOptions

  func run(in context: Context) async throws -> ReleaseNotesOfProject {
    let range = try LockRange(range) { FileStatus($0) != nil }
    // Two files can be compared anywhere.
    let isInProject = [range.from, range.to].contains { FileStatus($0) == nil } || project.isNamed
    let folder = isInProject ? try project.folder() : "."
    let history = LockHistory(of: folder)
    let (from, to) = (try history.version(range.from), try history.version(range.to))
    let known = await known(folder, context)
    let changes = ModuleChanges(from: from, to: to) { name, registry in
      (try? known?.offered(name, in: registry))?.index
    }
    if !changes.unknown.isEmpty {
      let values = ["names": changes.unknown.joined(separator: ", ")]
      context.terminal.warning(Diagnostic("ci-notes-unknown", values, exit: .done))
    }
    let notes = ReleaseNotesOfProject(changes, output: output)
    if let output { try Bytes(Array(notes.markdown(context.catalogue).utf8)).write(to: output) }
    return notes
  }

  /// The modules that the project's registries offer; nil where none is known.
  private func known(_ folder: String, _ context: Context) async -> ModuleCatalog? {
    let registries = (try? ProjectFiles(in: folder))?.manifest.registries ?? []
    guard
      let configuration = try? RegistryConfiguration(
        directories: context.directories, project: registries, in: folder, choosing: catalog.chosen(in: context))
    else { return nil }
    return try? await context.catalog(configuration, catalog.freshness(in: context))
  }
}
