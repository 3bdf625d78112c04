import MPaaSSupport

/// A module that a project asks for, has locked or has placed.
package struct UsedModule: Sendable, Equatable {
  package let name: String
  /// nil for a module that others need.
  package let requirement: String?
  package let locked: ModuleVersion?
  package let placed: ModuleVersion?
  /// nil where no registry is known to have it.
  package let newest: ModuleVersion?
  /// The named targets that have it so.
  package var targets: [String]
}

extension ProjectFiles {
  /// The modules of some targets by name: one for targets that have the same.
  ///
  /// - Parameter newest: The newest version of a module, in the registry that it is locked from if it is.
  package func modules(
    of targets: [ProjectTarget], newest: (_ name: String, _ registry: String?) -> ModuleVersion?
  ) -> [UsedModule] {
    var joined: [[String?]: UsedModule] = [:]
    for target in targets {
      let locked = Dictionary((lock?.modules(for: target.name) ?? []).map { ($0.name, $0) }) { $1 }
      for name in Set(locked.keys).union(target.modules.map(\.name)) {
        let module = UsedModule(
          name: name, requirement: target.module(name)?.requirement.text, locked: locked[name]?.version,
          placed: placed(name, locked[name], target), newest: newest(name, locked[name]?.registry), targets: [])
        let key = [name, module.requirement, module.locked?.text, module.placed?.text, module.newest?.text]
        joined[key, default: module].targets += target.name.map { [$0] } ?? []
      }
    }
    return joined.values.sorted {
      ($0.name, $0.targets.joined(separator: "\0")) < ($1.name, $1.targets.joined(separator: "\0"))
    }
  }

  /// The version of a module that a target has in its folders.
  private func placed(_ name: String, _ locked: LockedModule?, _ target: ProjectTarget) -> ModuleVersion? {
    let modules = Self.path(folder, manifest.folder)
    let own = target.name.map { ["\(modules)/Targets/\($0)/\(name)"] } ?? []
    for path in own + ["\(modules)/Modules/\(name)"] {
      if let placed = PlacedFolder(at: path) { return placed.version }
      // A link into the store is that of the version that is locked.
      if FileStatus(ofLink: path)?.kind == .other, FileStatus(path)?.kind == .folder { return locked?.version }
    }
    return nil
  }
}
