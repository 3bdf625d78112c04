import MPaaSSupport

/// The choice for one target.
struct TargetChoice {
  struct Module {
    let release: ModuleRelease
    let registry: String
  }

  let target: ProjectTarget
  var modules: [String: Module] = [:]

  /// The modules that a module needs here, sorted by name; optional modules only where the project wants them.
  func dependencies(of name: String) -> [LockedDependency] {
    let wanted = target.module(name)?.with ?? []
    let all = modules[name]?.release.manifest.dependencies ?? []
    return all.filter { dependency in
      dependency.applies(on: target.platform) && (!dependency.isOptional || wanted.contains(dependency.name))
    }.map { LockedDependency($0.name, $0.requirement) }.sorted {
      ($0.name, $0.requirement.text) < ($1.name, $1.requirement.text)
    }
  }

  /// - Throws: `ModuleError` where the project wants an optional module of a module that has no such one.
  func checkOptions(file: String) throws(ModuleError) {
    for module in target.modules {
      guard let release = modules[module.name]?.release else { continue }
      let options = release.manifest.dependencies.filter(\.isOptional).map(\.name)
      for name in module.with where !release.manifest.dependencies.contains(where: { $0.name == name }) {
        let values = [
          "module": module.name, "version": release.version.text, "option": name,
          "known": options.isEmpty ? "–" : options.joined(separator: ", "),
        ]
        let place = module.line.map { Place.text(file: file, line: $0, column: nil) }
        throw ModuleError(.projectNoSuchOption, values, at: place ?? .file(file))
      }
    }
  }
}

extension ProjectLock {
  /// One entry for each archive that is used, with the targets that use it.
  init(joining choices: [TargetChoice]) {
    struct Key: Hashable {
      let name: String
      let version: ModuleVersion
      let sha256: String
      let registry: String
    }
    var entries: [Key: LockedModule] = [:]
    for choice in choices {
      for (name, module) in choice.modules {
        let archive = module.release.archive
        let key = Key(
          name: name, version: module.release.version, sha256: archive.sha256, registry: module.registry)
        var entry =
          entries[key]
          ?? LockedModule(
            name: name, version: module.release.version, registry: module.registry, sha256: archive.sha256,
            size: archive.size)
        entry.dependencies = Set(entry.dependencies).union(choice.dependencies(of: name)).sorted {
          ($0.name, $0.requirement.text) < ($1.name, $1.requirement.text)
        }
        entry.targets += choice.target.name.map { [$0] } ?? []
        entries[key] = entry
      }
    }
    self.init(
      modules: entries.values.map { entry in
        var entry = entry
        entry.targets = entry.targets.count == choices.count ? [] : entry.targets.sorted()
        return entry
      }, targets: choices.map { LockedTarget($0.target) })
  }
}
