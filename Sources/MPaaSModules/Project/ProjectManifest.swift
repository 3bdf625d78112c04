/// The modules that a project uses, for which targets, from where, and how they are placed: what `mpaas.toml` says.
package struct ProjectManifest: Sendable, Equatable {
  package static let fileName = "mpaas.toml"

  /// The path that the manifest was read from, as errors name it.
  package var file: String
  package var name: String?
  package var platform: ModulePlatform?
  /// The lowest version of the system that the project runs on.
  package var minimum: ModuleVersion?
  package var place: ProjectPlace = .link
  /// The folder where modules are placed, from the folder of the manifest: no `..`, never that folder itself.
  package var folder = "MPaaS"
  package var xcode: ProjectXcode = .automatic
  /// In the order of the file: the first one that has a module's name is asked for it, never another.
  package var registries: [ProjectRegistry] = []
  /// The modules that all targets use, sorted by name.
  package var modules: [ProjectModule] = []
  /// Never empty: a project that names no targets has an unnamed one.
  package var targets: [ProjectTarget] = []

  package init(file: String) {
    self.file = file
  }

  /// The target of that name; nil where there is none.
  package func target(_ name: String?) -> ProjectTarget? { targets.first { $0.name == name } }

  /// Tells whether the project names its targets.
  package var hasNamedTargets: Bool { targets.contains { $0.name != nil } }
}

/// The Xcode project that has its targets linked with the modules.
package enum ProjectXcode: Sendable, Equatable {
  /// The only one in the manifest's folder, or right below it.
  case automatic
  /// From the manifest's folder.
  case path(String)
  /// None: `xcode = false`.
  case off
}

/// The ways of modules into the project's folder.
package enum ProjectPlace: String, Sendable, Hashable, Codable, CaseIterable {
  /// Files that share their content with the store and cannot be written to.
  case link
  /// Files of the project's own.
  case copy
  /// A symbolic link to the store.
  case shared
}

/// A registry that a project takes modules from.
package struct ProjectRegistry: Sendable, Hashable {
  package var name: String
  /// Relative folders lie beside the manifest.
  package var url: String
  package var mirrors: [String]
  /// The trusted root, a path from the folder of the manifest; nil where the user's configuration has to know it.
  package var root: String?
  /// From 1; nil where the manifest was not read from a text.
  package var line: Int?

  package init(name: String, url: String, mirrors: [String] = [], root: String? = nil, line: Int? = nil) {
    self.name = name
    self.url = url
    self.mirrors = mirrors
    self.root = root
    self.line = line
  }
}

/// A module that a project asks for.
package struct ProjectModule: Sendable, Hashable {
  package var name: String
  package var requirement: VersionRequirement
  /// The registry to take it from; nil for the first that has it.
  package var registry: String?
  /// The systems where it is needed; all where it is empty.
  package var platforms: Set<ModulePlatform>
  /// nil for what the project says.
  package var place: ProjectPlace?
  /// Its optional dependencies that are wanted, sorted.
  package var with: [String]
  /// The line that asks for it, from 1; nil where the manifest was not read from a text.
  package var line: Int?

  package init(
    _ name: String, _ requirement: VersionRequirement, registry: String? = nil, platforms: Set<ModulePlatform> = [],
    place: ProjectPlace? = nil, with: [String] = [], line: Int? = nil
  ) {
    self.name = name
    self.requirement = requirement
    self.registry = registry
    self.platforms = platforms
    self.place = place
    self.with = with
    self.line = line
  }

  package func applies(on platform: ModulePlatform?) -> Bool {
    platforms.isEmpty || platform.map(platforms.contains) ?? true
  }
}

/// A target of a project with all modules that it uses: the project's, with its own put over them.
package struct ProjectTarget: Sendable, Equatable {
  /// nil for the one target of a project that names none.
  package var name: String?
  package var platform: ModulePlatform?
  package var minimum: ModuleVersion?
  /// The modules that it asks for on its platform, sorted by name.
  package var modules: [ProjectModule]

  package init(
    name: String? = nil, platform: ModulePlatform? = nil, minimum: ModuleVersion? = nil, modules: [ProjectModule] = []
  ) {
    self.name = name
    self.platform = platform
    self.minimum = minimum
    self.modules = modules
  }

  package func module(_ name: String) -> ProjectModule? { modules.first { $0.name == name } }
}
