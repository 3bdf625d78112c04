/// The facts and needs of a version of a module: the contents of `module.toml`.
package struct ModuleManifest: Sendable, Equatable {
  /// A letter or digit, then letters, digits, `.`, `_`, `+` and `-`; at most 100.
  ///
  /// Case counts, but no two modules may differ in case alone.
  package var name: String
  package var version: ModuleVersion
  /// A sentence on what it is for.
  package var summary = LocalizedText()
  /// The news of this version.
  package var notes = LocalizedText()
  /// An SPDX expression.
  package var license: String?
  package var homepage: String?
  /// The lowest version of each system that it runs on; all systems where there is none.
  package var platforms: [ModulePlatform: ModuleVersion] = [:]
  package var dependencies: [ModuleDependency] = []
  /// Modules that it cannot stand beside, in these versions.
  package var conflicts: [ModuleConflict] = []
  package var contents = ModuleContents()
  package var link = LinkSettings()

  package init(name: String, version: ModuleVersion) {
    self.name = name
    self.version = version
  }
}

/// Another module that one needs.
package struct ModuleDependency: Sendable, Hashable {
  package var name: String
  package var requirement: VersionRequirement
  /// The systems where it is needed; all where it is empty.
  package var platforms: Set<ModulePlatform>
  /// Tells whether it is needed only where a project asks for it; where it is there anyway, its version has to fit.
  package var isOptional: Bool

  package init(
    _ name: String, _ requirement: VersionRequirement, platforms: Set<ModulePlatform> = [], isOptional: Bool = false
  ) {
    self.name = name
    self.requirement = requirement
    self.platforms = platforms
    self.isOptional = isOptional
  }

  package func applies(on platform: ModulePlatform?) -> Bool {
    platforms.isEmpty || platform.map(platforms.contains) ?? true
  }
}

/// Versions of another module that one cannot stand beside.
package struct ModuleConflict: Sendable, Hashable {
  package var name: String
  package var requirement: VersionRequirement

  package init(_ name: String, _ requirement: VersionRequirement) {
    self.name = name
    self.requirement = requirement
  }
}

/// The content of an archive, by paths inside it.
package struct ModuleContents: Sendable, Hashable {
  package var frameworks: [String] = []
  package var xcframeworks: [String] = []
  /// Static and shared libraries.
  package var libraries: [String] = []
  /// Files, or folders of them.
  package var sources: [String] = []
  package var bundles: [String] = []
  /// Folders to search for headers.
  package var headers: [String] = []

  package init() {}
}

/// The settings by which a program that uses the module has to be linked.
package struct LinkSettings: Sendable, Hashable {
  /// System libraries as the linker names them: `z`, `sqlite3`.
  package var libraries: [String] = []
  /// System frameworks: `CoreTelephony`.
  package var frameworks: [String] = []
  package var weakFrameworks: [String] = []
  /// Further flags: `-ObjC`.
  package var flags: [String] = []

  package init() {}
}
