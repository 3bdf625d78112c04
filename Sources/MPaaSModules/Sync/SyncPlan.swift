import MPaaSSupport

/// The modules by the folder of a project.
struct PlacedPlan: Sendable, Equatable {
  let module: LockedModule
  /// From the project's folder: `MPaaS/Modules/APLog`, `MPaaS/Targets/Watch/APLog`.
  let path: String
  let method: PlaceMethod

  /// The folders of all modules of a lock, sorted by path.
  ///
  /// - Parameter place: How modules are placed, whatever the project says.
  static func all(_ lock: ProjectLock, _ project: ProjectManifest, place: ProjectPlace?) -> [PlacedPlan] {
    lock.modules.flatMap { module -> [PlacedPlan] in
      guard !module.targets.isEmpty else {
        let asked = project.targets.lazy.compactMap { $0.module(module.name)?.place }.first
        return [
          PlacedPlan(
            module: module, path: "\(project.folder)/Modules/\(module.name)",
            method: PlaceMethod(place ?? asked ?? project.place))
        ]
      }
      return module.targets.map { target in
        let asked = project.target(target)?.module(module.name)?.place
        return PlacedPlan(
          module: module, path: "\(project.folder)/Targets/\(target)/\(module.name)",
          method: PlaceMethod(place ?? asked ?? project.place))
      }
    }.sorted { $0.path < $1.path }
  }
}

extension PlaceMethod {
  init(_ place: ProjectPlace) {
    self =
      switch place {
      case .link: .link
      case .copy: .copy
      case .shared: .shared
      }
  }
}

extension SyncChange {
  /// The differences between two locks, by target, joined where all targets see the same.
  package static func all(
    from old: ProjectLock?, to new: ProjectLock, targets: [String?],
    index: (_ name: String, _ registry: String) -> ModuleIndex?
  ) -> [SyncChange] {
    var seen: [String: (change: SyncChange, targets: [String?])] = [:]
    for target in targets {
      let before = old?.versions(for: target) ?? [:]
      let after = new.versions(for: target)
      for name in Set(before.keys).union(after.keys) where before[name] != after[name] {
        let key = "\(name)\0\(before[name]?.text ?? "")\0\(after[name]?.text ?? "")"
        seen[key, default: (SyncChange(name, from: before[name], to: after[name]), [])].targets.append(target)
      }
    }
    return seen.values.map { entry in
      var change = entry.change
      if entry.targets.count < targets.count { change.targets = entry.targets.compactMap(\.self).sorted() }
      let registry = new.modules.first { $0.name == change.name }?.registry
      if let registry, let index = index(change.name, registry) {
        change.notes = index.notes(from: change.from, to: change.to)
      }
      return change
    }.sorted { ($0.name, $0.targets.joined()) < ($1.name, $1.targets.joined()) }
  }
}
