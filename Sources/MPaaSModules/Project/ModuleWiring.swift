/// The settings that an Xcode target needs of its modules: paths from the project's folder, each once, in the order of
/// the modules.
package struct ModuleWiring: Sendable, Equatable {
  /// nil for the one target of a project that names none.
  package var target: String?
  package var frameworks: [String] = []
  package var xcframeworks: [String] = []
  package var libraries: [String] = []
  /// Files, or folders of them.
  package var sources: [String] = []
  package var bundles: [String] = []
  package var frameworkFolders: [String] = []
  package var libraryFolders: [String] = []
  package var headerFolders: [String] = []
  /// By name: `CoreTelephony`.
  package var systemFrameworks: [String] = []
  package var weakSystemFrameworks: [String] = []
  /// As the linker names them: `z`.
  package var systemLibraries: [String] = []
  package var flags: [String] = []

  package init(target: String?) {
    self.target = target
  }

  package var isEmpty: Bool { self == ModuleWiring(target: target) }
}

extension TargetSettings {
  var wiring: ModuleWiring {
    var wiring = ModuleWiring(target: target.name)
    func all(_ paths: (ModuleContents) -> [String]) -> [String] {
      modules.flatMap { module in paths(module.manifest.contents).map { module.path + "/" + $0 } }
    }
    wiring.frameworks = all(\.frameworks)
    wiring.xcframeworks = all(\.xcframeworks)
    wiring.libraries = needingFirst.flatMap { module in
      Self.linkedOnce(module.manifest.contents.libraries).map { module.path + "/" + $0 }
    }
    wiring.sources = all(\.sources)
    wiring.bundles = all(\.bundles)
    wiring.frameworkFolders = frameworkFolders
    wiring.libraryFolders = libraryFolders
    wiring.headerFolders = headerFolders
    wiring.systemFrameworks = Self.once(modules.flatMap(\.manifest.link.frameworks))
    let strong = Set(wiring.systemFrameworks)
    wiring.weakSystemFrameworks = Self.once(modules.flatMap(\.manifest.link.weakFrameworks))
      .filter { !strong.contains($0) }
    wiring.systemLibraries = Self.once(modules.flatMap(\.manifest.link.libraries))
    wiring.flags = flags
    return wiring
  }

  /// Libraries without those that come static too.
  private static func linkedOnce(_ paths: [String]) -> [String] {
    let archives = Set(paths.filter { $0.hasSuffix(".a") }.compactMap(libraryName))
    return paths.filter { path in path.hasSuffix(".a") || !(libraryName(path).map(archives.contains) ?? false) }
  }

  private static func once(_ values: [String]) -> [String] {
    var seen: Set<String> = []
    return values.filter { seen.insert($0).inserted }
  }
}

extension ProjectSettingsFiles {
  /// The settings of each target of the project, also where it needs nothing.
  var wirings: [ModuleWiring] { project.targets.map { settings(for: $0) { _ in [] }.wiring } }
}
