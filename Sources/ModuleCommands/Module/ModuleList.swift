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
      var rows: [ListedModules.Row] = []
      for target in targets {
        let locked = Dictionary((files.lock?.modules(for: target.name) ?? []).map { ($0.name, $0) }) { $1 }
        for name in Set(locked.keys).union(target.modules.map(\.name)) {
          rows.append(
            ListedModules.Row(
              name: name, requirement: target.module(name)?.requirement.text, locked: locked[name]?.version.text,
              placed: Self.placed(name, locked[name], target, files), newest: newest(name, locked[name]?.registry),
              targets: target.name.map { [$0] } ?? []))
        }
      }
      return ListedModules(modules: ListedModules.joined(rows), namesTargets: targets.count > 1)
    }

    /// The newest versions by what was trusted last; the registries are asked only with `--refresh`.
    private func newest(_ files: ProjectFiles, _ context: Context) async throws -> (String, String?) -> String? {
      let configuration = try RegistryConfiguration(
        directories: context.directories, project: files.manifest.registries, in: files.folder,
        choosing: catalog.chosen(in: context))
      if catalog.refresh {
        let catalog = try await context.catalog(configuration, .now)
        return { name, registry in (try? catalog.offered(name, in: registry))?.index.newest?.version.text }
      }
      let loader = CatalogLoader(configuration, userAgent: Context.userAgent, now: context.now)
      // A project may be looked at before any registry is known.
      guard let catalog = try? await loader.load(.offline) else { return { _, _ in nil } }
      return { name, registry in (try? catalog.offered(name, in: registry))?.index.newest?.version.text }
    }

    private static func placed(
      _ name: String, _ locked: LockedModule?, _ target: ProjectTarget, _ files: ProjectFiles
    ) -> String? {
      let folder = ProjectFiles.path(files.folder, files.manifest.folder)
      let own = target.name.map { ["\(folder)/Targets/\($0)/\(name)"] } ?? []
      for path in own + ["\(folder)/Modules/\(name)"] {
        if let placed = PlacedFolder(at: path) { return placed.version.text }
        // A link into the store is that of the version that is locked.
        if FileStatus(ofLink: path)?.kind == .other, FileStatus(path)?.kind == .folder { return locked?.version.text }
      }
      return nil
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
    var targets: [String]
  }

  let modules: [Row]
  let namesTargets: Bool

  private enum CodingKeys: String, CodingKey {
    case modules
  }

  /// One row for targets that have the same.
  static func joined(_ rows: [Row]) -> [Row] {
    var joined: [[String?]: Row] = [:]
    for row in rows {
      let key = [row.name, row.requirement, row.locked, row.placed, row.newest]
      joined[key, default: Row(row, targets: [])].targets += row.targets
    }
    return joined.values.sorted {
      ($0.name, $0.targets.joined(separator: "\0")) < ($1.name, $1.targets.joined(separator: "\0"))
    }
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

extension ListedModules.Row {
  init(_ row: ListedModules.Row, targets: [String]) {
    self = row
    self.targets = targets
  }
}
