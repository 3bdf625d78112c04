import MPaaSSupport

/// A module that is older than the newest that its registry has.
package struct OutdatedModule: Sendable {
  package let name: String
  package let current: ModuleVersion
  /// The version that an update would bring; nil where it is not known.
  package let allowed: ModuleVersion?
  package let newest: ModuleVersion
  /// The requirements of the project; nil where it asks for none.
  package let requirement: String?
  /// Empty for all targets.
  package let targets: [String]
  /// The notes of the versions in between, newest first.
  package let notes: [ReleaseNotes]

  /// - Returns: nil where nothing is newer.
  private init?(
    _ offered: OfferedModule, from here: ModuleVersion, allowed: ModuleVersion?, targets: [String] = [],
    requirement: String = ""
  ) {
    guard let best = offered.index.newest?.version, best > here else { return nil }
    name = offered.index.name
    current = here
    self.allowed = allowed.map { max($0, here) }
    newest = best
    self.requirement = requirement.isEmpty ? nil : requirement
    self.targets = targets
    notes = offered.index.notes(from: here, to: best)
  }

  /// The outdated modules of this machine, by name.
  ///
  /// - Throws: `ModuleError` of an index that cannot be read.
  package static func all(_ local: LocalModules, of catalog: ModuleCatalog) throws(ModuleError) -> [OutdatedModule] {
    var found: [OutdatedModule] = []
    for (name, versions) in local.versions.sorted(by: { $0.key < $1.key }) {
      guard let here = versions.first, let offered = try catalog.offered(name) else { continue }
      if let module = OutdatedModule(offered, from: here, allowed: offered.index.newest?.version) {
        found.append(module)
      }
    }
    return found
  }

  /// The outdated modules that a project has locked; none where it has no lock.
  ///
  /// - Throws: `ModuleError` of the lock, and of an index that cannot be read.
  package static func all(
    _ project: ProjectManifest, of catalog: ModuleCatalog
  ) throws(ModuleError) -> [OutdatedModule] {
    guard let lock = try ProjectLock(in: FileSystem.folder(of: project.file)) else { return [] }
    // The choice of an update, with all that modules ask of each other; where they cannot be had together, it is not
    // known.
    let update = try? ProjectResolver(project: project, lock: lock, update: .all, of: catalog).resolve()
    var found: [OutdatedModule] = []
    for locked in lock.modules {
      guard let offered = try catalog.offered(locked.name, in: locked.registry) else { continue }
      let targets = project.targets.filter { locked.applies(to: $0.name) }
      let allowed = targets.compactMap { update?.versions(for: $0.name)[locked.name] }.min()
      let requirements = targets.compactMap { $0.module(locked.name)?.requirement.text }
      let module = OutdatedModule(
        offered, from: locked.version, allowed: allowed, targets: locked.targets,
        requirement: requirements.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }.joined(separator: ", "))
      if let module { found.append(module) }
    }
    return found
  }
}
