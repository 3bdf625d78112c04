import MPaaSSupport

extension ModuleDownloads.Wanted {
  /// The modules that are named, with or without versions.
  ///
  /// - Throws: `ModuleError` `sdk-module-unknown`, `module-version-unknown`, and as `init(_:in:of:)`.
  package static func named(_ words: [String], of catalog: ModuleCatalog) throws(ModuleError) -> [Self] {
    var wanted: [Self] = []
    for word in words.map({ ModuleWord($0) }) {
      for name in try word.names(in: catalog) {
        let offered = try catalog.known(name)
        wanted.append(try Self(try word.release(in: offered.index), in: offered.registry, of: catalog))
      }
    }
    return wanted
  }

  /// The modules that a project has locked.
  ///
  /// - Parameter project: nil where there is no project.
  /// - Throws: `ModuleError` `vendor-nothing` without a project, of the lock, and as `init(_:of:)`.
  package static func locked(
    by project: ProjectManifest?, of catalog: ModuleCatalog
  ) throws(ModuleError) -> [Self] {
    guard let project else { throw ModuleError(.vendorNothing) }
    let file = FileSystem.folder(of: project.file) + "/" + ProjectLock.fileName
    let lock = try ProjectLock(reading: try ProjectFiles.text(file), file: file)
    return try lock.modules.map { module throws(ModuleError) in try Self(module, of: catalog) }
  }
}
