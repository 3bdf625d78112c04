/// The modules that are to come to this machine, chosen from a catalogue.
package struct DownloadPlan: Sendable {
  package struct Module: Sendable {
    package let release: ModuleRelease
    package let index: ModuleIndex
    package let registry: String
    /// The newest version that is here; nil where there is none.
    package let local: ModuleVersion?
  }

  /// In the order in which they were named.
  package private(set) var modules: [Module] = []
  /// Modules that are here and stay as they are.
  package private(set) var current = 0
  private let catalog: ModuleCatalog
  private let isAnew: Bool
  private let isOffline: Bool

  /// Chooses modules.
  ///
  /// - Parameters:
  ///   - words: Modules with or without versions; all of the catalogue where there is none.
  ///   - isAnew: Whether modules that are here come again; offline there is nothing to bring them from.
  /// - Throws: `ModuleError` `sdk-module-unknown`, `module-version-unknown`.
  package init(
    _ words: [String], of catalog: ModuleCatalog, beside local: LocalModules, anew isAnew: Bool, isOffline: Bool
  ) throws(ModuleError) {
    self.catalog = catalog
    self.isAnew = isAnew && !isOffline
    self.isOffline = isOffline
    var seen: Set<[String]> = []
    for word in words.isEmpty ? [ModuleWord("*")] : words.map({ ModuleWord($0) }) {
      for name in words.isEmpty ? catalog.names : try word.names(in: catalog) {
        let offered = try catalog.known(name)
        let release = try word.release(in: offered.index)
        guard seen.insert([offered.index.name, release.version.text]).inserted else { continue }
        guard self.isAnew || !local.contains(offered.index.name, release.version) else {
          current += 1
          continue
        }
        modules.append(
          Module(
            release: release, index: offered.index, registry: offered.registry,
            local: local.newest(offered.index.name)))
      }
    }
  }

  /// Brings the modules into the store.
  ///
  /// - Throws: `ModuleError` where the registry's signed metadata does not list an archive, and as
  ///   `ModuleDownloads.bring`.
  package func run(_ downloads: ModuleDownloads) async throws(ModuleError) {
    var wanted: [ModuleDownloads.Wanted] = []
    for module in modules {
      wanted.append(try ModuleDownloads.Wanted(module.release, in: module.registry, of: catalog))
    }
    try await downloads.bring(wanted, anew: isAnew, isOffline: isOffline)
  }
}
