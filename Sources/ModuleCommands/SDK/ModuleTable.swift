import MPaaSModules
import MPaaSTerminal

/// All modules with what is here and what the registries have.
struct ModuleTable: Presentable {
  struct Row: Encodable, Sendable {
    /// The state of a module in the eyes of a user of the newest versions.
    enum State: String, Encodable {
      case current, outdated, missing
      /// Here, and in no registry.
      case local
    }

    let name: String
    let local: String?
    let remote: String?
    let state: State
    let registry: String?
  }

  let modules: [Row]
  let registries: [String]

  init(_ catalog: ModuleCatalog, _ local: LocalModules) throws {
    var rows: [Row] = []
    for name in ModuleCatalog.sorted(Set(catalog.offeredNames).union(local.versions.keys)) {
      let module = try catalog.newest(name)
      let here = local.newest(name)
      let state: Row.State =
        if let module {
          here == nil ? .missing : local.contains(name, module.version) ? .current : .outdated
        } else {
          .local
        }
      // The version that counts for a current module is that one, whatever else is here.
      let shown = state == .current ? module?.version : here
      rows.append(
        Row(
          name: name, local: shown?.text, remote: module?.version.text, state: state, registry: module?.registry))
    }
    modules = rows
    registries = catalog.registryNames
  }

  func document(_ catalogue: Catalogue) -> Document {
    guard !modules.isEmpty else { return [.line(StyledText(catalogue.text("text.sdk-empty")))] }
    var table = Table(columns: [
      .init(catalogue.text("text.sdk-framework")), .init(catalogue.text("text.sdk-local")),
      .init(catalogue.text("text.sdk-remote")), .init(""),
    ])
    for row in modules {
      let role: TextRole = [.outdated, .missing].contains(row.state) ? .marked : .plain
      let mark = row.state == .outdated ? catalogue.text("text.sdk-mark") : ""
      table.rows.append([
        StyledText(row.name), StyledText(row.local ?? catalogue.text("text.sdk-missing"), role),
        StyledText(row.remote ?? "–", role), StyledText(mark, .faint),
      ])
    }
    return [.table(table)]
  }
}
