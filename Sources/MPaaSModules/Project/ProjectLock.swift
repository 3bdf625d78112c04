/// The version of each module a project uses: what `mpaas.lock` says.
package struct ProjectLock: Sendable, Equatable {
  package static let fileName = "mpaas.lock"

  /// Sorted by name and version.
  package private(set) var modules: [LockedModule]
  /// The needs that the versions were chosen for, sorted by name; only targets that say something of it.
  package private(set) var targets: [LockedTarget]

  package init(modules: [LockedModule] = [], targets: [LockedTarget] = []) {
    self.targets = targets.filter { !$0.isEmpty }.sorted { ($0.name ?? "") < ($1.name ?? "") }
    self.modules = modules.sorted {
      ($0.name, $0.version, $0.targets.joined(separator: "\0")) < (
        $1.name, $1.version, $1.targets.joined(separator: "\0")
      )
    }
  }

  /// The modules that a target uses, sorted by name; for nil what the unnamed target of a project uses.
  package func modules(for target: String?) -> [LockedModule] {
    modules.filter { $0.applies(to: target) }
  }

  /// The versions that a target uses, by module.
  package func versions(for target: String?) -> [String: ModuleVersion] {
    Dictionary(modules(for: target).map { ($0.name, $0.version) }) { max($0, $1) }
  }
}

/// The facts that the versions of a target depend on besides its requirements: if it changes, they are chosen anew.
package struct LockedTarget: Sendable, Hashable {
  /// nil for the one target of a project that names none.
  package var name: String?
  package var platform: ModulePlatform?
  package var minimum: ModuleVersion?
  /// The optional modules that are wanted, sorted: the module that offers one, a space, its name.
  package var options: [String]

  package init(
    name: String? = nil, platform: ModulePlatform? = nil, minimum: ModuleVersion? = nil, options: [String] = []
  ) {
    self.name = name
    self.platform = platform
    self.minimum = minimum
    self.options = options
  }

  package init(_ target: ProjectTarget) {
    self.init(
      name: target.name, platform: target.platform, minimum: target.minimum,
      options: target.modules.flatMap { module in module.with.map { module.name + " " + $0 } }.sorted())
  }

  var isEmpty: Bool { platform == nil && minimum == nil && options.isEmpty }

  /// `ios 13.0`, `linux`, `–`.
  var system: String {
    let words = [platform?.rawValue, minimum?.text].compactMap(\.self)
    return words.isEmpty ? "–" : words.joined(separator: " ")
  }
}

/// A version of a module that is locked.
package struct LockedModule: Sendable, Hashable {
  package var name: String
  package var version: ModuleVersion
  package var registry: String
  /// The digest of the archive: 64 lower-case hexadecimal digits.
  package var sha256: String
  /// Bytes of the archive.
  package var size: UInt64
  /// The modules that it needs here, sorted by name.
  package var dependencies: [LockedDependency]
  /// The targets that use it, sorted; empty where all do.
  package var targets: [String]

  package init(
    name: String, version: ModuleVersion, registry: String, sha256: String, size: UInt64,
    dependencies: [LockedDependency] = [], targets: [String] = []
  ) {
    self.name = name
    self.version = version
    self.registry = registry
    self.sha256 = sha256
    self.size = size
    self.dependencies = dependencies
    self.targets = targets
  }

  package func applies(to target: String?) -> Bool {
    targets.isEmpty || target.map(targets.contains) ?? true
  }
}

/// A module that a locked one needs.
package struct LockedDependency: Sendable, Hashable {
  package var name: String
  package var requirement: VersionRequirement

  package init(_ name: String, _ requirement: VersionRequirement) {
    self.name = name
    self.requirement = requirement
  }
}
