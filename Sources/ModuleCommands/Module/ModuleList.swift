import ArgumentParser
import CommandKit
import MPaaSModules
import MPaaSSupport
import MPaaSTerminal

extension ModuleCommand {
  /// `mpaas module list`: what the project asks for, has locked and has placed.
  struct List: MPaaSCommand {
    static var configuration: CommandConfiguration { CommandConfiguration("list", key: "module.list") }

    @OptionGroup var project: ProjectOption
    @OptionGroup var target: TargetOption
    @OptionGroup var catalog: CatalogOptions
    @OptionGroup var common: CommonOptions

    func run(in context: Context) async throws -> ListedModules {
      let files = try project.files()
      let targets = try target.targets(of: files.manifest)
      let newest = try await newest(files, context)
      return ListedModules(
        modules: files.modules(of: targets, newest: newest).map(ListedModules.Row.init), namesTargets: targets.count > 1
      )
    }

    /// The newest versions by what was trusted last; the registries are asked only with `--refresh`.
    private func newest(_ files: ProjectFiles, _ context: Context) async throws -> (String, String?) -> ModuleVersion? {
      let configuration = try RegistryConfiguration(
        directories: context.directories, project: files.manifest.registries, in: files.folder,
        choosing: catalog.chosen(in: context))
      if catalog.refresh {
        let catalog = try await context.catalog(configuration, .now)
        return { name, registry in (try? catalog.offered(name, in: registry))?.index.newest?.version }
      }
      let loader = CatalogLoader(configuration, userAgent: Context.userAgent, now: context.now)
      // A project may be looked at before any registry is known.
      guard let catalog = try? await loader.load(.offline) else { return { _, _ in nil } }
      return { name, registry in (try? catalog.offered(name, in: registry))?.index.newest?.version }
    }
  }
}

/// The modules of a project's targets.
struct ListedModules: Presentable {
  struct Row: Encodable, Sendable {
    let name: String
    /// nil for a module that others need.
    let requirement: String?
    let locked: String?
    let placed: String?
    /// nil where no registry is known to have it.
    let newest: String?
    let targets: [String]

    init(_ module: UsedModule) {
      name = module.name
      requirement = module.requirement
      locked = module.locked?.text
      placed = module.placed?.text
      newest = module.newest?.text
      targets = module.targets
    }
  }

  let modules: [Row]
  let namesTargets: Bool

  private enum CodingKeys: String, CodingKey {
    case modules
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard !modules.isEmpty else { return [.line(StyledText(catalogue.text("text.module-none")))] }
    var columns = ["name", "requirement", "locked", "placed", "newest"].map {
      Table.Column(catalogue.text("text.module-column-\($0)"))
    }
    if namesTargets { columns.append(.init(catalogue.text("text.module-column-targets"))) }
    var table = Table(columns: columns)
    for row in modules {
      var cells = [
        StyledText(row.name, row.requirement == nil ? .faint : .emphasis), StyledText(row.requirement ?? "–", .faint),
        StyledText(row.locked ?? "–", row.locked == nil ? .warning : .plain),
        StyledText(row.placed ?? "–", row.placed == row.locked ? .plain : .warning),
        StyledText(row.newest ?? "–", row.newest == row.locked ? .plain : .highlight),
      ]
      if namesTargets { cells.append(StyledText(row.targets.joined(separator: ", "), .faint)) }
      table.rows.append(cells)
    }
    return [.table(table)]
  }
}
